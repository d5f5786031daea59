"""Ways in which a model says results in English. A, B, C are the first groups by value, Z the last; a … z their values."""

SCALAR = {
    "sum": [
        "The total revenue is {v}.",
        "Total revenue: {v}.",
        "In total, revenue came to {v}.",
        "Revenue adds up to {v} overall.",
        "Summing everything, I get {v}.",
        "**{v}** is the total revenue.",
        "Across all {rows} rows the total is {v}.",
    ],
    "mean": [
        "The average revenue is {v}.",
        "On average, revenue was {v}.",
        "Mean revenue: {v} (from {rows} rows).",
        "Revenue averages {v}.",
        "An order brought in {v} on average.",
    ],
    "max": [
        "The highest revenue is {v}.",
        "Revenue peaked at {v}.",
        "The maximum revenue is {v}.",
        "The largest single value is {v}.",
    ],
    "min": [
        "The lowest revenue is {v}.",
        "The minimum revenue is {v}.",
        "The smallest value is {v}.",
        "At the bottom, revenue was {v}.",
    ],
    "median": ["The median revenue is {v}.", "Median revenue stands at {v}."],
    "count": [
        "There are {v} orders.",
        "I counted {v} rows.",
        "The number of orders is {v}.",
        "{v} orders match.",
        "Your filter matches {v} rows.",
    ],
}

DICT = [
    "There are {count} orders with total revenue of {sum} and an average of {mean}.",
    "Total revenue is {sum}, the average is {mean} and the maximum is {max}.",
    "Revenue: total {sum}, mean {mean}, max {max}, across {count} rows.",
    "- Orders: {count}\n- Total revenue: {sum}\n- Average revenue: {mean}\n- Maximum: {max}",
    "| Metric | Value |\n|---|---|\n| Orders | {count} |\n| Total revenue | {sum} |\n| Average revenue | {mean} |",
    "On average, revenue was {mean}; the highest was {max}.",
    "The {count} orders brought in {sum} in total, or {mean} on average.",
]

GROUPED = [
    "{A} leads with {a}.",
    "{A} has the highest revenue, {a}, while {Z} has the lowest, {z}.",
    "{A} leads with {a}, followed by {B} ({b}) and {C} ({c}).",
    "The top region is {A} at {a}; the bottom one is {Z} at {z}.",
    "Revenue is highest in {A} ({a}) and lowest in {Z} ({z}).",
    "With {a}, {A} is ahead of {B}, which has {b}.",
    "{A}, {B} and {C} made {a}, {b} and {c} respectively.",
    "{A} and {B} brought in {a} and {b}.",
    "Revenue was {a} in {A}, {b} in {B} and {z} in {Z}.",
    "- {A}: {a}\n- {B}: {b}\n- {C}: {c}",
    "Here is the breakdown:\n\n1. **{A}** — {a}\n2. **{B}** — {b}\n3. **{C}** — {c}",
    "| Region | Revenue |\n|---|---|\n| {A} | {a} |\n| {B} | {b} |\n| {Z} | {z} |",
    "{A}'s revenue of {a} exceeds {B}'s {b}.",
    "{A} made {a}. {B} came second with {b}.",
    "{A} is first ({a}), {B} second ({b}).",
    "The {n} regions range from {z} ({Z}) to {a} ({A}).",
    "Among the {n} regions, {A} stands out: its revenue is {a}.",
    "{A} brought in {a}, {d} more than {B}.",
    "{A} is {p} higher than {B}.",
    "{A} made {a}, that is {p} more than {B} ({b}).",
    "The gap between {A} and {B} is {d}.",
    "{A} accounts for {s} of total revenue.",
    "{A} contributes {s} of the total of {t}.",
    "{A} sold {r} times as much as {Z}.",
    "Together, {A} and {B} made {ab}.",
    "The total across all regions is {t}.",
    "On average, a region made {m}.",
    "In {A}, revenue came to {a}. In {Z} it was only {z}.",
    "As for {B}, it recorded {b}, compared to {a} for {A}.",
    "{a} came from {A}, {b} from {B}, and {c} from {C}.",
    "{A} — {a}; {B} — {b}; {C} — {c}; {Z} — {z}.",
    "The weakest region, {Z}, made {z}, whereas {A} made {a}.",
    "{B} ranks second with {b}.",
    "Although {A} leads ({a}), {B} is close behind with {b}.",
    "The best result was {a}, in {A}.",
    "{z} is the lowest figure (it belongs to {Z}), and {a} the highest ({A}).",
    "**{A}**\n- revenue: {a}\n\n**{B}**\n- revenue: {b}",
    "Revenue by region: {A} {a}, {B} {b}, {C} {c}.",
    "{Z} trails at {z}, which is {d2} less than {A}.",
]

PAIR = [
    "In {A}, {X} orders made {ax}.",
    "{A} made {ax} {X} and {ay} {Y}.",
    "{X} in {A}: {ax}; {Y} in {A}: {ay}.",
    "For {A}, {X} brought in {ax} while {Y} brought in {ay}.",
    "**{A}**:\n- {X}: {ax}\n- {Y}: {ay}\n\n**{B}**:\n- {X}: {bx}\n- {Y}: {by}",
    "| Region | {X} | {Y} |\n|---|---|---|\n| {A} | {ax} | {ay} |\n| {B} | {bx} | {by} |",
    "| Region | Channel | Revenue |\n|---|---|---|\n| {A} | {X} | {ax} |\n| {B} | {Y} | {by} |",
    "The {X} channel made {ax} in {A} and {bx} in {B}.",
    "{A} ({X}): {ax}, {B} ({X}): {bx}.",
]

SERIES = [
    "Revenue grew from {f} in {F} to {l} in {L}.",
    "The peak was {P} with {x}.",
    "The highest revenue, {x}, was in {P}; the lowest, {y}, in {Q}.",
    "In {P} revenue reached {x}, while in {Q} it was just {y}.",
    "From {F} to {L}, revenue {dir} by {ch}.",
    "Revenue {dir} {ch} between {F} and {L}.",
    "{F}: {f}\n{L}: {l}\n{P}: {x}",
    "- {F}: {f}\n- {P}: {x}\n- {L}: {l}",
    "The first month, {F}, had {f}; the last, {L}, had {l}.",
    "Compared to {F}, revenue in {L} {dir} by {ch}.",
    "It started at {f} ({F}) and ended at {l} ({L}).",
    "{P} was the best month with {x}.",
]

TOP = [
    "The largest order is {A} with revenue of {a}.",
    "Order {A} has the highest revenue, {a}, with quantity {aq}.",
    "1. {A} — {a}\n2. {B} — {b}\n3. {C} — {c}",
    "| Order | Quantity | Revenue |\n|---|---|---|\n| {A} | {aq} | {a} |\n| {B} | {bq} | {b} |",
    "The top 3 orders are {A} ({a}), {B} ({b}) and {C} ({c}).",
    "{A} comes first with {a}, then {B} with {b}.",
    "Revenue of {A} was {a}.",
]

BIG = [
    "{A} made {a}.",
    "The revenue of {A} was {a}.",
    "{A} had revenue of {a} and {B} had {b}.",
    "- {A}: {a}\n- {B}: {b}",
    "The highest revenue is {max}.",
    "Revenue ranges from {min} to {max}, with an average of {mean}.",
    "The average revenue is {mean}.",
    "The result has {n} rows; the largest revenue is {max}.",
    "Total revenue is {t}.",
    "For {A} revenue came to {a}, compared with {b} for {B}.",
]

SHARE = [
    "The return rate is {a} in {A} and {b} in {B}.",
    "{A} has a return rate of {a}.",
    "{a} of orders in {A} were returned.",
    "{A} is at {a}, {pp} above {B}.",
    "- {A}: {a}\n- {B}: {b}",
    "Return rate is highest in {A} at {a}, lowest in {Z} at {z}.",
]

CHANGE = [
    "{A} {dira} {a} and {B} {dirb} {b}.",
    "In {A} it {dira} by {a}.",
    "{A} {dira} by {a}, while {B} {dirb} by {b}.",
]

UP, DOWN = "rose", "fell"
POINTS = "percentage points"
