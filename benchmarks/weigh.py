"""Learn the weights of language/assign.py.   python benchmarks/weigh.py ROWS.jsonl... [--out weights.txt]"""
from __future__ import annotations
import argparse, collections, json, math, random, sys
from pathlib import Path
import numpy as np
sys.path.insert(0, str(Path(__file__).parent))
import people
from toolmend.corrections.slots import slots_of
from toolmend.corrections.values import Surroundings
from toolmend.corrections import assign as A
from toolmend.mend.case import _fits
from toolmend.corrections.evidence import of_the_whole
from toolmend.messages import Call

UNITS="seconds minutes hours days weeks EUR USD GBP CHF JPY CAD AUD percent celsius fahrenheit kelvin kilograms grams milligrams tonnes pounds stone ounces litres centilitres millilitres kilometres metres centimetres millimetres miles yards feet inches".split()
def meant(words,schema,old,now):
    if not isinstance(words,str) or (schema.get("type")=="string" and "format" not in schema and "enum" not in schema) or schema.get("type") in("array","object"): return (words,)
    from toolmend import Resolved, resolve
    try: found=resolve(words,schema,now=now,like=old)
    except Exception: return (words,)
    return (found.value,) if isinstance(found,Resolved) else found.candidates or (words,)
def prepare(rows):
    out=[]
    for r in rows:
        t=people.spec_of(r["tool"]); now=people.NOW
        if "args" in r:
            call=Call(t.name,r["args"]); now=people.dt.datetime.fromisoformat(r["now"]) if r.get("now") else None
        else:
            for k,s in t.properties.items():
                if s.get("x-unit") and s["x-unit"] not in UNITS: s.pop("x-unit")
            st={k:v for k,v in r["standing"].items() if v!="?"}
            try: call=people.call_of(t,st)
            except Exception: continue
        for k,s in t.properties.items():
            if s.get("x-unit") and s["x-unit"] not in UNITS: s.pop("x-unit")
        try: bad={s.name for s in slots_of(call,(t,)) if not _fits(s)}
        except Exception: continue
        if not r["say"].strip(): continue
        call=Call(call.tool,{k:v for k,v in call.arguments.items() if k not in bad})
        for k,s in t.properties.items():
            if s.get("x-unit") and s["x-unit"] not in UNITS: s.pop("x-unit")
        due={k:tuple(map(people.plain,v)) for k,v in r["due"].items()} if "due" in r else {k:tuple(map(people.plain,meant(v,t.properties.get(k,{}),call.arguments.get(k),now))) for k,v in r["changed"].items()}
        due={k:v for k,v in due.items() if k not in call.arguments or people.plain(call.arguments[k]) not in v}
        out.append((r,slots_of(call,(t,)),Surroundings(r["heard"],now),due))
    return out
def right(value,due): return people.plain(value) in due
def logistic(X,y,l2,names,steps=60):
    from scipy.optimize import minimize
def fit(rows,l2=1.0):
    """rows: list of (dict features, label)"""
    count=collections.Counter(k for f,_ in rows for k,v in f.items() if v)
    names=sorted(k for k,n in count.items() if n>=12); at={k:i for i,k in enumerate(names)}
    idx=[[(at[k],v) for k,v in f.items() if k in at and v] for f,_ in rows]
    y=np.array([l for _,l in rows],float)
    n=len(rows); m=len(names)
    I=np.concatenate([[i]*len(x) for i,x in enumerate(idx)]).astype(int); J=np.array([j for x in idx for j,_ in x]); V=np.array([v for x in idx for _,v in x])
    w=np.zeros(m); g2=np.zeros(m)+1e-8
    mom=np.zeros(m)
    for step in range(700):
        s=np.bincount(I,V*w[J],n); p=1/(1+np.exp(-np.clip(s,-30,30)))
        g=np.bincount(J,V*((p-y)[I]),m)+l2*w
        mom=.9*mom+.1*g; g2=.99*g2+.01*g*g
        w-=0.1*(1-step/700)*mom/np.sqrt(g2+1e-8)
    return {k:round(float(w[at[k]]),2) for k in names if abs(w[at[k]])>=.05}
def main():
    ap=argparse.ArgumentParser(); ap.add_argument("rows",nargs="+"); ap.add_argument("--out"); ap.add_argument("--limit",type=int,default=99999)
    a=ap.parse_args()
    rows=[json.loads(l) for f in a.rows for l in open(f)][:a.limit]
    data=prepare(rows); print(len(data),"rows")
    pw={}
    # pair weights in two folds so that the whole's features are of pairs not learned from
    feats=[]
    for r,slots,said,due in data:
        ps=A.pairs_of(r["say"],slots,said); feats.append(ps)
    def pairrows(ids):
        out=[]
        for i in ids:
            r,slots,said,due=data[i]
            if not due: continue
            for p in feats[i]:
                ok=p.slot.name in due and any(right(v,due[p.slot.name]) for v in p.values)
                out += [(p.features,ok)]*(1 if "set" not in r or r["set"].startswith("written") else 3)
        return out
    folds=[[i for i in range(len(data)) if hash(data[i][0].get("d",data[i][0]["heard"][:60]))%2==k] for k in (0,1)]
    wholerows=[];tally=collections.defaultdict(list)
    from dataclasses import replace
    for k in (0,1):
        w=fit(pairrows(folds[1-k]),0.5)
        for i in folds[k]:
            r,slots,said,due=data[i]
            if r.get("act")!="edit" or r.get("set")=="written tools": continue
            ps=[replace(p,likely=A.chance(w,p.features)) for p in feats[i]]
            taken=A.best(ps)
            ok=bool(due) and {p.slot.name for p in taken}==set(due) and all(right(p.values[0],due[p.slot.name]) for p in taken)
            tally[r.get("set","sgd")].append(ok)
            if taken: wholerows.append((of_the_whole(r["say"],taken,ps),ok))
    for s,v in tally.items(): print(s,len(v),round(sum(v)/len(v),3))
    ww=fit(wholerows,1.0); wp=fit(pairrows(range(len(data))),0.5)
    print(len(wp),"pair weights",len(ww),"whole weights; whole right",np.mean([l for _,l in wholerows]))
    if a.out:
        Path(a.out).write_text("# learned weights\n"+"".join(f"{k} {v}\n" for k,v in sorted({**wp,**ww}.items())))
if __name__=="__main__": main()
