"""Words that people put around a value and that change nothing in it: preference, manner, reasons. Knows no call."""

from __future__ import annotations

DEGREES = frozenset("warm cool hot cold loud quiet bright dark long short early late enough soon".split())
COMMON = frozenset(
    # preference and fitness
    "better best plenty enough suit suits suited fits fit works work woken wake woke push pull move shift dim "
    "raise lower reschedule postpone booked ordered sent made "
    "reserved belong belongs under via prefer preferred preferably "
    "ideal ideally nicer nice lovely great good fine perfect ok okay easier more "
    # manner of saying
    "obviously clearly naturally honestly really truly just simply merely basically literally surely certainly "
    "definitely absolutely otherwise anyway after before meanwhile perhaps maybe possibly probably likely "
    "hopefully finally already still yet ever too very quite rather pretty fairly kind sort bit "
    # persons and pointing
    "me you him her us them myself yourself our ours his hers their theirs my mine your who whom which what "
    "here there now then today's these those such same own each both some any "
    # light verbs
    "come comes coming came get gets getting got give gives given take takes taken took keep keeps kept let lets "
    "use uses used try tries tried want wants wanted need needs needed like likes liked think thinks thought "
    "believe guess suppose hope know knows say says said tell told ask asked call called put puts set sets "
    "turn turns go goes going gone went do does did done have has had having be been being is are was were am "
    "will would could should might may must shall can read reads hear heard see sees meant mean means intended "
    "ought supposed expect expected arrive join joining attending taking bringing using having driving coming going "
    "eating eat eating stay staying happen happens "
    "start starts starting begin begins end ends finish finishes last lasts run runs "
    # small words
    "a an the this that it its it's that's i i'd i'm i'll i've we we'd we'll we've we're they they'll they're "
    "there'll there's there're he he's she she's and but so because since as if when while than to for of at "
    "in on by with from into up down over about around per instead please pls sorry thanks thank cheers "
    "yes yeah yep oh ah hm hmm well actually should've would've could've must've let's what's who's "
    # what things are called when they are not named
    "thing things value right correct actual real one ones total altogether all everyone everybody people "
    "somebody someone folks guys time times way rest moment place side".split()
)
