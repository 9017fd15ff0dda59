"""Our allotment: beds, jobs, harvest."""

from typing import Literal

Bed = Literal["north", "south", "greenhouse", "herb_spiral", "hedge"]
SOWN: list[dict] = []
HARVEST: list[dict] = []
JOBS: list[dict] = [{"job": "mend the gate", "who": "Pim"}]


def sow(plant: str, bed: Bed, rows: int = 1) -> str:
    """Note that something was sown in a bed."""
    SOWN.append({"plant": plant, "bed": bed, "rows": rows})
    return f"{rows} rows of {plant} in {bed}"


def harvested(crop: str, kilos: float) -> str:
    """Write down how many kilograms of a crop were harvested."""
    HARVEST.append({"crop": crop, "kilos": kilos})
    return f"{kilos} kg {crop}"


def give_job(job: str, who: str, hours: float = 1) -> str:
    """Give somebody a job to do on the allotment."""
    JOBS.append({"job": job, "who": who, "hours": hours})
    return f"{who}: {job}"


def compost(action: Literal["turn", "empty", "cover"], bin_number: int) -> str:
    """Do something with one of the four compost bins."""
    JOBS.append({"job": f"{action} bin {bin_number}", "who": ""})
    return JOBS[-1]["job"]
