"""Dates of all calendars of the CF conventions, compared with cftime: calendars.py DATES_OF

For each calendar, 10,000 random dates from the year -400 to 3400 are tested, relative to random epochs and in several units. Both
the date of a number and the number of a date are compared.
"""

import random
import subprocess
import sys
import warnings

try:
    import cftime
except ImportError:
    print("SKIPPED: no cftime; scripts/install_packages brings python3-netcdf4, and cftime with it")
    sys.exit(77)

CALENDARS = ["standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day", "all_leap", "366_day", "360_day"]
PER_DAY = {"days": 1, "hours": 24, "minutes": 1440, "seconds": 86400, "milliseconds": 86_400_000,
           "microseconds": 86_400_000_000}
EPOCHS, DATES = 50, 200
# several spellings of the same epoch
SPELLINGS = ["{0:04d}-{1:02d}-{2:02d}", "{0}-{1}-{2} 00:00:0.0", "{0:04d}-{1:02d}-{2:02d}T00:00:00Z", "{0}-{1}-{2} 0:0:0 UTC"]


def text_of(date):
    text = date.strftime("%H:%M:%S")
    year = f"{date.year:04d}"
    text = f"{year}-{date.month:02d}-{date.day:02d}T{text}"
    return text + (f".{date.microsecond:06d}".rstrip("0") if date.microsecond else "")


def any_day(rng, calendar):
    """Returns a random day that exists in the calendar, in a year that has the same number in calendars with and without a year 0."""
    while True:
        try:
            return cftime.datetime(rng.choice([rng.randrange(1, 3000), rng.randrange(1500, 1700)]), rng.randrange(1, 13),
                                   rng.randrange(1, 32), calendar=calendar)
        except ValueError:
            pass


def cases(calendar):
    rng = random.Random(calendar)
    for _ in range(EPOCHS):
        epoch = any_day(rng, calendar)
        unit = rng.choice(list(PER_DAY))
        since = rng.choice(SPELLINGS).format(epoch.year, epoch.month, epoch.day)
        units = f"{unit} since {since}"
        numbers = [rng.randrange(-400 * 365, 400 * 365) * PER_DAY[unit] + rng.randrange(PER_DAY[unit]) for _ in range(DATES)]
        plain = f"{unit} since {epoch.year:04d}-{epoch.month:02d}-{epoch.day:02d}"
        for number, date in zip(numbers, cftime.num2date(numbers, plain, calendar)):
            yield units, number, date


def main(program):
    warnings.simplefilter("ignore")  # warnings about years before 1
    problems, total = [], 0
    for calendar in CALENDARS:
        wanted = list(cases(calendar))
        lines = "".join(f"{calendar};{units};{number};{text_of(date)}\n" for units, number, date in wanted)
        answers = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        if len(answers) != len(wanted):
            problems.append(f"{calendar}: {len(answers)} answers to {len(wanted)} lines")
        for (units, number, date), answer in zip(wanted, answers):
            found_date, found_number = answer.split(";")
            if found_date != text_of(date):
                problems.append(f"{calendar}: {number} {units}: {found_date}, in cftime {text_of(date)}")
            if found_number != str(number):
                problems.append(f"{calendar}: {text_of(date)} in {units}: {found_number}, in cftime {number}")
        total += len(wanted)
    print("\n".join(problems[:20]) or f"{total} dates of {len(CALENDARS)} calendars as in cftime")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
