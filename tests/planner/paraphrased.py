"""What is asked most of a table of what happened, each meaning in the many constructions that people type.

A meaning has the query that answers it, or several where either answers; so has a condition. Each is said in every wording, and what an answer
leaves out of one of both shows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import TOP, best

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.planner.computed import Domain
    from tests.planner.computed.domain import Said

_MONTHLY: Final = "(select date_trunc('month', day) m, sum(fee) f from t {where} group by 1)"
_FIRST: Final = f"select id, fee from t {{where}} {TOP.format(by='fee desc')}"
_TOTAL: Final = "select sum(fee) from t {where}"
_SUMS: Final = "select place, sum(fee) from t {where} group by 1"
_SIDES: Final = "select place, sum(fee) from t {more} place in ('{p1}', '{p2}') group by 1"

_MEANINGS: Final[dict[Said, str]] = {
    ("total", _TOTAL): """
        total {fee} | sum of {fee} | {fee} in total | what is the total {fee} | what does {fee} add up to | {fee}: total?
        what's the sum of all {fees} | add up the {fee} | overall {fee} | how much {fee} is there in all | sum {fee} | sum({fee})
        {fee} altogether | give me the total {fee} | total of the {fee} column | how much is the total {fee} | {fee} total
        all {fees} added together | the sum total of {fee} | what do all the {fees} come to | grand total of {fee}""",
    ("total by", _SUMS): """
        total {fee} by {place} | sum of {fee} for each {place} | break {fee} down by {place} | {fee} totals {place} by {place}
        give me {fee} totals {place} by {place} | {fee}, by {place}, sorted | {places} in order of {fee} | {fee} per {place}
        rank the {places} by {fee} | {places} ranked by total {fee} | sum {fee} group by {place} | split total {fee} by {place}
        how much {fee} does each {place} have | {place} wise {fee} | {place}-wise total {fee} | total {fee} across {places}
        for each {place}, the total {fee} | breakdown of {fee} by {place} | {fee} broken down by {place} | {places} with their total {fee}
        what is the total {fee} of every {place} | {fee} by {place} | list the {places} and their total {fee} | {places} and total {fee}
        per {place}: total {fee} | how is {fee} distributed across {places} | show {fee} totals for all {places} | {fee} split by {place}
        sort {places} by total {fee} | order the {places} by total {fee} | by {place}, what is the total {fee} | group by {place} and sum {fee}""",
    ("mean", "select avg(fee) from t {where}"): """
        average {fee} | mean {fee} | avg {fee} | what is the average {fee} | what's the mean of {fee} | {fee} on average | typical {fee}
        what is {fee} on average | average of {fee} | avg({fee}) | average {fee} per {row} | how high is the average {fee} | {fee}: average
        what {fee} does an average {row} have | average {fee} of a {row} | mean value of {fee} | how much is the {fee} on average""",
    ("mean by", "select place, avg(fee) from t {where} group by 1"): """
        average {fee} by {place} | avg {fee}/{place} | avg {fee} per {place} | mean {fee} for each {place} | {places} by average {fee}
        compare the average {fee} of the {places} | how does average {fee} differ by {place} | rank {places} by average {fee}
        average {fee} in each {place} | {place}: average {fee} | what is the average {fee} for every {place} | average {fee} across {places}
        average {fee} grouped by {place} | {places} sorted by mean {fee} | average {fee} {place} by {place} | {place} averages of {fee}
        what does each {place} have as average {fee} | {places} and their average {fee} | group by {place}, average {fee}
        does the average {fee} vary by {place}""",
    ("count", "select count(*) from t {where}"): """
        how many {rows} | number of {rows} | {rows}: how many? | count of {rows} | count {rows} | # of {rows} | how many {rows} are there
        how many {rows} do we have | total number of {rows} | what's the number of {rows} | {row} count | count the {rows} | no. of {rows}
        how many {rows} were there | how many {rows} in total | give me the number of {rows} | {rows} in total | tell me how many {rows} there are
        what is the {row} count | how many {rows} did we have | count(*) | number of {rows}?""",
    ("count by", "select place, count(*) from t {where} group by 1"): """
        how many {rows} per {place} | # of {rows} per {place} | number of {rows} by {place} | {row} count by {place} | {rows} by {place}
        {rows} per {place} | count {rows} for each {place} | how many {rows} does each {place} have | how many {rows} {inside} each {place}
        {places} by number of {rows} | number of {rows} {place} by {place} | break {rows} down by {place} | split the {rows} by {place}
        how are the {rows} distributed across {places} | rank {places} by number of {rows} | {rows}, by {place} | count by {place}
        {places} and how many {rows} each has | for every {place}, the number of {rows} | count of {rows} grouped by {place}
        {place} wise number of {rows} | how many {rows} are there for every {place} | {places} with their number of {rows}""",
    ("best", best("place", "sum(fee) desc")): """
        which {place} has the highest total {fee} | {place} with the highest total {fee} | which {place} has the most {fee}
        what {place} has the largest total {fee} | top {place} by total {fee} | best {place} by {fee} | which {place} is first by total {fee}
        where is the total {fee} highest | the {place} with the most {fee} | which {place} leads in total {fee} | {place} with the largest sum of {fee}
        which {place} accounts for the most {fee} | which is the top {place} by {fee} | in which {place} is total {fee} the highest
        number one {place} by total {fee} | which {place} comes first by total {fee} | which {place} contributes most to {fee}
        who is the top {place} by total {fee} | the single {place} with the greatest total {fee} | which of the {places} has the highest total {fee}
        which {place} has more {fee} than any other | highest total {fee}: which {place}""",
    ("worst", best("place", "sum(fee)")): """
        which {place} has the lowest total {fee} | {place} with the least {fee} | bottom {place} by total {fee} | worst {place} by total {fee}
        which {place} has the smallest total {fee} | where is the total {fee} lowest | which {place} comes last by total {fee}
        the {place} with the lowest sum of {fee} | which {place} contributes least to {fee} | which {place} has the least {fee}
        in which {place} is total {fee} the lowest | last {place} by total {fee} | which of the {places} has the smallest total {fee}
        what {place} has the minimum total {fee} | weakest {place} by total {fee} | which {place} has less {fee} than any other""",
    ("top", "select place from t {where} group by 1 order by sum(fee) desc limit 3"): """
        top 3 {places} by total {fee} | which 3 {places} have the most {fee} | {places} ranked by total {fee}, first three
        three {places} with the highest total {fee} | the 3 best {places} by {fee} | top three {places} by {fee} | 3 {places} with the most {fee}
        the three biggest {places} by total {fee} | which three {places} lead in total {fee} | first 3 {places} by total {fee}
        best three {places} in terms of total {fee} | what are the top 3 {places} by {fee} | {places} by total {fee}, top 3
        the {places} with the 3 highest total {fee} | show the 3 {places} with the largest total {fee} | 3 largest {places} by {fee}
        total {fee} by {place}, top 3 | total {fee} of the top 3 {places} | give me the three leading {places} by {fee}
        order {places} by total {fee} descending and show the first 3 | {fee} by {place}: top 3 | three top {places} by sum of {fee}
        limit to the top 3: {places} by total {fee}""",
    ("most rows", best("place", "count(*) desc")): """
        {place} with the most {rows} | which {place} has the most {rows} | busiest {place} | where are most {rows} | top {place} by number of {rows}
        which {place} had the highest number of {rows} | which {place} has the largest number of {rows} | where do we have the most {rows}
        {place} with the highest {row} count | which {place} occurs most often | most frequent {place} | most common {place}
        which is the most common {place} | in which {place} are there the most {rows} | which {place} comes up most | what's the busiest {place}
        which {place} has more {rows} than any other | the {place} that has most {rows} | {place} that appears most often | most {rows}: which {place}""",
    ("fewest rows", best("thing", "count(*)")): """
        {thing} with the fewest {rows} | which {thing} has the fewest {rows} | least common {thing} | rarest {thing} | least frequent {thing}
        which {thing} has the smallest number of {rows} | {thing} with the lowest number of {rows} | which {thing} has the least {rows}
        which {thing} occurs least often | what is the least common {thing} | {thing} with the lowest {row} count
        which {thing} appears the least | bottom {thing} by number of {rows} | which {thing} has fewer {rows} than any other""",
    ("highest", "select max(fee) from t {where}", _FIRST): """
        highest {fee} | maximum {fee} | max {fee} | what is the largest {fee} | biggest {fee} | top {fee} | what's the highest {fee} | {fee} max
        how high does {fee} get | max({fee}) | the greatest {fee} | what is the maximum of {fee} | how high is the highest {fee}
        largest value of {fee} | highest {fee} ever | highest single {fee} | what is the most {fee} a {row} has | peak {fee}""",
    ("highest row", _FIRST, f"select id from t {{where}} {TOP.format(by='fee desc')}"): """
        {row} with the highest {fee} | which {row} has the highest {fee} | biggest {row} by {fee} | top {row} by {fee} | the {row} with the most {fee}
        which {row} had the largest {fee} | show the {row} with the maximum {fee} | {row} with the biggest {fee} | largest {row} by {fee}
        show me the {row} where {fee} is highest | which {row} is first by {fee} | find the {row} with the greatest {fee}
        {row} that has the highest {fee} | details of the {row} with the highest {fee} | what {row} has the top {fee} | the highest-{fee} {row}""",
    ("top rows", "select id from t {where} order by fee desc limit 5"): """
        5 {rows} with the highest {fee} | top 5 {rows} by {fee} | five biggest {rows} by {fee} | {rows} by {fee}, top 5 | the 5 largest {rows} by {fee}
        first 5 {rows} by {fee} descending | which 5 {rows} have the highest {fee} | {rows} sorted by {fee} descending, first 5
        5 {rows} with the largest {fee} | show the five {rows} with the most {fee} | top five {rows} in terms of {fee}
        the five highest {rows} by {fee} | {rows} with the 5 highest {fees} | list the 5 {rows} having the highest {fee}
        sort {rows} by {fee} from high to low and show 5 | {rows} ordered by {fee}, highest first, limit 5""",
    ("last rows", "select id from t {where} order by fee limit 3"): """
        3 {rows} with the lowest {fee} | bottom 3 {rows} by {fee} | three smallest {rows} by {fee} | {rows} by {fee}, lowest 3
        3 {rows} with the smallest {fee} | which three {rows} have the lowest {fee} | last 3 {rows} by {fee} | the three {rows} with the least {fee}
        {rows} sorted by {fee} ascending, first 3 | {rows} with the 3 lowest {fees} | the 3 lowest {rows} by {fee} | three {rows} with the minimum {fee}""",
    ("count over", "select count(*) from t {more} fee > 40"): """
        how many {rows} have a {fee} over 40 | number of {rows} with {fee} > 40 | count {rows} with {fee} above 40 | how many {rows} exceed 40 in {fee}
        {rows} with a {fee} over 40: how many? | how many {rows} where {fee} is more than 40 | # of {rows} with {fee} greater than 40
        how many of the {rows} have more than 40 {fee} | in how many {rows} is {fee} over 40 | how many {rows} had {fee} above 40
        count of {rows} whose {fee} is over 40 | how often is {fee} over 40 | how many times was the {fee} above 40
        for how many {rows} is the {fee} higher than 40 | how many {rows} are above 40 in {fee}""",
    ("share of a sum", "select 100 * sum(fee) filter (place = '{p1}') / sum(fee) from t {where}"): """
        share of {p1} in total {fee} | what share of {fee} comes from {p1} | {p1}'s share of {fee} | {p1} as a percentage of total {fee}
        what percentage of total {fee} is {p1} | how much of the {fee} is {p1}, in percent | percent of {fee} from {p1} | {p1} share of total {fee}
        what part of total {fee} is from {p1} | which percentage of {fee} does {p1} account for | what fraction of total {fee} is {p1}
        what proportion of {fee} comes from {p1} | how many percent of total {fee} is {p1} | % of {fee} from {p1} | {p1} in % of total {fee}
        how big is the share of {p1} in {fee} | what percent of all {fee} does {p1} make up""",
    ("share of rows", "select 100.0 * count(*) filter (paid) / count(*) from t {where}"): """
        what percentage of {rows} are {paid} | share of {paid} {rows} | % of {rows} {paid} | how many percent of {rows} are {paid}
        what share of {rows} is {paid} | percentage of {paid} {rows} | percent of {rows} that are {paid} | {paid} {rows} as a percentage of all {rows}
        what proportion of the {rows} is {paid} | which fraction of {rows} are {paid} | {paid} share | {paid} {rows} in percent
        what part of the {rows} are {paid} | out of all {rows}, what percentage is {paid} | proportion of {rows} that are {paid} | {paid} {rows} in %""",
    ("different", "select count(distinct thing) from t {where}"): """
        how many different {things} | number of distinct {things} | how many {things} are there | count of unique {things} | unique {things} count
        how many unique {things} do we have | number of {things} | how many kinds of {thing} | count distinct {thing} | distinct {things}: how many?
        how many {things} do we have | how many distinct {things} are there | how many various {things} are there | count the different {things}""",
    ("distinct", "select distinct thing from t {where}"): """
        list of {things} | which {things} are there | what {things} do we have | list the {things} | all {things} | distinct {things} | unique {things}
        what are the {things} | show all {things} | list all the different {things} | what different {things} are there | names of the {things}
        which {things} do we have | give me all {things} | distinct values of {thing} | what values does {thing} have | what kinds of {thing} are there
        unique values in {thing} | which {things} occur | possible values of {thing} | what is there in {thing}""",
    ("list", "select id from t {more} fee > 50"): """
        {rows} with a {fee} over 50 | list {rows} with {fee} > 50 | show me {rows} where {fee} is above 50 | which {rows} have a {fee} over 50
        {rows} whose {fee} exceeds 50 | all {rows} with {fee} greater than 50 | find {rows} with a {fee} of more than 50 | {fee} > 50
        what {rows} have {fee} higher than 50 | {rows} having {fee} above 50 | give me the {rows} with {fee} over 50 | {rows} where {fee} > 50
        display all {rows} that have a {fee} above 50 | list every {row} with a {fee} bigger than 50 | {rows} above 50 in {fee} | {fee} over 50""",
    ("flagged", "select id from t {more} paid"): """
        {paid} {rows} | list {paid} {rows} | which {rows} are {paid} | show {rows} that are {paid} | {rows} where {paid} is yes | all {paid} {rows}
        {rows} which are {paid} | give me the {paid} {rows} | show me every {paid} {row} | {rows} with {paid} = yes | only the {paid} {rows}""",
    ("compared", _SIDES, f"select place from ({_SIDES}) {TOP.format(by='2 desc')}"): """
        compare {p1} and {p2} by total {fee} | how does {p1} compare with {p2} in total {fee} | {p1} vs {p2} by {fee} | {p1} versus {p2}: total {fee}
        total {fee} of {p1} compared to {p2} | total {fee}: {p1} vs {p2} | compare total {fee} between {p1} and {p2} | {fee} in {p1} against {p2}
        total {fee} of {p1} and {p2} separately | how do {p1} and {p2} compare by total {fee}
        {p1} and {p2} compared by total {fee} | put {p1} and {p2} side by side by total {fee} | compare {p1} with {p2} in terms of total {fee}
        total {fee}, {p1} against {p2} | how does total {fee} of {p1} compare to {p2}""",
    ("which of two", f"select place from ({_SIDES}) {TOP.format(by='2 desc')}", _SIDES): """
        which has a higher total {fee}, {p1} or {p2} | does {p1} or {p2} have the higher total {fee} | {p1} or {p2}: which has more {fee}
        which of {p1} and {p2} has more {fee} | who has more {fee}, {p1} or {p2} | is total {fee} higher in {p1} or {p2}
        where is total {fee} higher, {p1} or {p2} | has {p1} or {p2} more {fee} | which one has the larger total {fee}: {p1} or {p2}
        between {p1} and {p2}, which has the higher total {fee} | what has more {fee}, {p1} or {p2}""",
    ("monthly", "select date_trunc('month', day), sum(fee) from t {where} group by 1"): """
        monthly total {fee} | total {fee} per month | {fee} by month | total {fee} month by month | {fee} totals for each month | sum of {fee} each month
        how much {fee} per month | break {fee} down by month | total {fee} for every month | {fee} over the months | total {fee} monthly
        how did total {fee} develop month by month | monthly breakdown of {fee} | {fee} per calendar month | sum {fee} group by month | {fee} broken down by month
        what was the total {fee} in each month | monthly {fee} | month wise total {fee}""",
    ("count monthly", "select date_trunc('month', day), count(*) from t {where} group by 1"): """
        {rows} per month | number of {rows} by month | how many {rows} each month | monthly number of {rows} | {row} count per month | monthly {rows}
        how many {rows} did we have each month | count of {rows} by month | {rows} month by month | how many {rows} a month | # of {rows} per month
        how many {rows} were there every month | break {rows} down by month | count {rows} group by month | {rows} by month""",
    ("best month", f"select m from {_MONTHLY} {TOP.format(by='f desc')}"): """
        which month had the highest total {fee} | in what month was total {fee} highest | best month by {fee} | month with the most {fee}
        when was total {fee} highest, by month | what month had the most {fee} | in which month did we have the most {fee} | top month by total {fee}
        month with the highest total {fee} | which month was the best by total {fee} | strongest month by total {fee} | peak month for {fee}
        in which month was the sum of {fee} the largest | which month brought the most {fee} | which was the best month in terms of {fee}""",
    (
        "change",
        f"select m, f - lag(f) over (order by m) from {_MONTHLY}",
        f"select m, 100 * (f - lag(f) over (order by m)) / lag(f) over (order by m) from {_MONTHLY}",
    ): """
        change of total {fee} from month to month | month-over-month change in {fee} | {fee} growth by month
        monthly growth of {fee} | monthly change in total {fee} | change in total {fee} between months | {fee} mom | month on month change in total {fee}
        how much did {fee} grow each month | month to month difference in total {fee} | by how much did {fee} change from month to month
        growth of total {fee} month over month | {fee} compared to the previous month, by month""",
    ("groups of many", "select place from t {where} group by 1 having count(*) > 15"): """
        {places} with more than 15 {rows} | which {places} have more than 15 {rows} | {places} having over 15 {rows} | {places} that have more than 15 {rows}
        {places} where there are more than 15 {rows} | what {places} have over 15 {rows} | {places} with a {row} count above 15
        list {places} with number of {rows} > 15 | {places} with at least 16 {rows} | which {places} had 16 or more {rows} | {places} in which there are over 15 {rows}""",
    ("groups of a sum", "select thing from t {where} group by 1 having sum(fee) > 300"): """
        {things} with total {fee} over 300 | which {things} have a total {fee} above 300 | {things} whose total {fee} exceeds 300
        {things} where the sum of {fee} is more than 300 | {things} having total {fee} greater than 300 | what {things} total over 300 in {fee}
        list {things} with more than 300 of total {fee} | {things} that have over 300 {fee} in total | {things} with sum of {fee} > 300""",
    ("missing", "select count(*) from t {more} note is null"): """
        how many {rows} have no {note} | number of {rows} without a {note} | how many {rows} are missing a {note} | count {rows} with empty {note}
        how many {rows} lack a {note} | how many {note} cells are empty | {rows} without {note}: how many? | in how many {rows} is the {note} missing
        how many missing values does {note} have | how many {rows} have an empty {note} | how many {rows} where {note} is blank | missing {note} count
        how often is {note} missing | number of {rows} with no {note} | how many {rows} have {note} not filled in | count of nulls in {note}""",
    ("without", "select id from t {more} note is null"): """
        {rows} without a {note} | {rows} with no {note} | which {rows} have no {note} | list {rows} where {note} is empty | {rows} missing a {note}
        show {rows} with empty {note} | {rows} lacking a {note} | {rows} that have no {note} | {rows} where {note} is missing | which {rows} lack a {note}
        {rows} with blank {note} | {rows} where {note} is not filled in | {note} is empty | {rows} whose {note} is missing | find {rows} with missing {note}""",
    (
        "last day",
        "select max(day) from t {where}",
        f"select day from t {{where}} {TOP.format(by='day desc')}",
    ): """
        latest {day} | what is the last {day} | when was the last {row} | date of the latest {row} | when was the most recent {row}
        most recent {day} | last date in {day} | until when do we have {rows} | max {day} | when did the last {row} happen | date of the last {row}
        how recent is the latest {row} | up to what date are there {rows}""",
    (
        "first day",
        "select min(day) from t {where}",
        f"select day from t {{where}} {TOP.format(by='day')}",
    ): """
        earliest {day} | what is the first {day} | when was the first {row} | date of the earliest {row} | since when do we have {rows} | min {day}
        when was the earliest {row} | when did the first {row} happen | first date in {day} | from what date on do we have {rows} | date of the first {row}""",
    (
        "any",
        "select count(*) > 0 from t {more} fee > 58",
        "select count(*) from t {more} fee > 58",
        "select id from t {more} fee > 58",
    ): """
        are there {rows} with {fee} over 58 | are there any {rows} with a {fee} above 58 | is there a {row} with {fee} over 58
        do we have {rows} with {fee} more than 58 | does any {row} have a {fee} over 58 | did any {row} exceed 58 in {fee}
        is there any {row} whose {fee} is over 58 | has any {row} a {fee} greater than 58 | do any {rows} have {fee} > 58 | any {rows} with {fee} over 58?""",
    (
        "rank",
        "select r from (select place, rank() over (order by sum(fee) desc) r from t {where} group by 1) where place = '{p2}'",
    ): """
        what rank is {p2} by total {fee} | where does {p2} rank by total {fee} | {p2}'s rank by total {fee} | how does {p2} rank among {places} by total {fee}
        rank of {p2} by total {fee} | which place does {p2} take by total {fee} | what position is {p2} in by total {fee} | position of {p2} by total {fee}
        where does {p2} stand among the {places} by total {fee} | in terms of total {fee}, what rank is {p2} | what is the rank of {p2} in total {fee}""",
    (
        "above the mean",
        "select count(*) filter (fee > m) from (select fee, avg(fee) over () m from t {where})",
        "select count(*) filter (fee > (select avg(fee) from t)) from t {where}",
    ): """
        how many {rows} have a {fee} above the average | number of {rows} with above-average {fee} | how many {rows} are above average in {fee}
        count {rows} whose {fee} is above average | how many {rows} have more than the average {fee} | how many {rows} had {fee} over the mean
        how many {rows} have a higher {fee} than average | how many {rows} exceed the average {fee} | number of {rows} with {fee} greater than average
        in how many {rows} is {fee} higher than the average""",
    ("of one", "select sum(fee) from t {more} place = '{p1}'"): """
        total {fee} {inside} {p1} | {p1} total {fee} | total {fee} of {p1} | what is {p1}'s total {fee} | how much {fee} does {p1} have | {p1}: total {fee}
        what is the total {fee} for {p1} | total {fee} where {place} is {p1} | sum of {fee} for {place} {p1} | how much {fee} came from {p1} | {p1}'s {fee} total
        for {p1}, what does {fee} add up to | {fee} total for {p1} only | sum of {p1}'s {fees} | what {fee} did {p1} have in total""",
    ("count of one", "select count(*) from t {more} place = '{p1}'"): """
        how many {rows} {inside} {p1} | number of {rows} for {p1} | {p1}: how many {rows} | how many {rows} does {p1} have | {p1} {row} count
        count of {rows} {inside} {p1} | # of {rows} {inside} {p1} | how many {rows} has {p1} | how many of the {rows} are {inside} {p1} | {rows} {inside} {p1}: how many?
        how many {rows} had {p1} | how many times does {p1} occur | how often does {p1} occur | how many {p1} {rows} | number of {p1} {rows}""",
    ("most of a sum", best("thing", "sum(qty) desc")): """
        which {thing} has the most {qty} | {thing} with the highest total {qty} | top {thing} by {qty} | what {thing} has the largest {qty} in total
        {thing} with the most {qty} | best {thing} by total {qty} | which {thing} accounts for most {qty}
        the {thing} with the largest total {qty} | in which {thing} is total {qty} highest""",
    (
        "difference",
        "select sum(fee) filter (place = '{p1}') - sum(fee) filter (place = '{p2}') from t {where}",
        _SIDES,
    ): """
        difference between {p1} and {p2} in total {fee} | how much more total {fee} does {p1} have than {p2} | {p1} minus {p2} in total {fee}
        by how much does total {fee} differ between {p1} and {p2} | total {fee} difference of {p1} and {p2} | gap between {p1} and {p2} in total {fee}
        how much higher is total {fee} in {p1} than in {p2} | difference in total {fee}, {p1} vs {p2} | what's the difference in total {fee} between {p1} and {p2}""",
    ("two keys", "select place, thing, sum(fee) from t {where} group by 1, 2"): """
        total {fee} per {place} and {thing} | total {fee} by {place} and by {thing} | {fee} by {place} by {thing} | break {fee} down by {place} and {thing}
        total {fee} for each {place} and {thing} | sum of {fee} by {place}, {thing} | {place} x {thing} total {fee} | pivot {fee} by {place} and {thing}
        total {fee} for every combination of {place} and {thing} | {fee} split by {place} and then {thing} | sum {fee} group by {place}, {thing}
        total {fee} by {place}/{thing} | {fee} totals by {thing} within each {place} | for each {place}, total {fee} by {thing}""",
    ("median", "select median(fee) from t {where}"): """
        median {fee} | what is the median {fee} | median of {fee} | {fee}: median | median({fee}) | middle value of {fee} | what's the median of all {fees}
        50th percentile of {fee} | what is {fee} at the median | calculate the median {fee}""",
    ("span", "select max(fee) - min(fee) from t {where}", "select min(fee), max(fee) from t {where}"): """
        difference between the highest and lowest {fee} | spread between min and max {fee} | min and max {fee}
        from what to what does {fee} range | lowest and highest {fee} | how far apart are the highest and lowest {fee}
        minimum and maximum of {fee} | smallest and largest {fee} | max minus min {fee}""",
    (
        "mean of months",
        "select avg(c) from (select date_trunc('month', day), count(*) c from t {where} group by 1)",
    ): """
        average number of {rows} per month | how many {rows} per month on average | average monthly number of {rows} | on average, how many {rows} a month
        mean {rows} per month | {rows} per month on average | average {rows} a month | how many {rows} do we have in an average month""",
    (
        "top of each",
        "select place, thing from t {where} group by 1, 2 qualify rank() over (partition by place order by sum(fee) desc) = 1",
    ): """
        top {thing} in each {place} by total {fee} | best {thing} per {place} by {fee} | which {thing} has the highest total {fee} in each {place}
        for each {place}, the {thing} with the highest total {fee} | {thing} with the most {fee} for every {place} | leading {thing} of each {place} by total {fee}
        what is the top {thing} by total {fee} in every {place} | each {place}'s best {thing} by total {fee}""",
}

_CONDITIONS: Final = {
    "place = '{p1}'": "{inside} {p1} | only {p1} | {p1} only | just {p1} | for {p1} | in {p1} alone | where {place} is {p1} | if {place} is {p1} | {place} = {p1} | for the {place} {p1}",
    "thing = '{t1}'": "for {t1} | only {t1} | just {t1} | {t1} only | where {thing} = {t1} | when the {thing} is {t1} | with {thing} {t1} | limited to {t1} | considering only {t1}",
    "place <> '{p2}'": "not {inside} {p2} | outside {p2} | except {p2} | other than {p2} | everywhere but {p2} | not counting {p2} | where {place} is not {p2} | all but {p2}",
    "thing <> '{t1}'": (
        "leaving out {t1} | other than {t1} | without {t1} | excluding {t1} | apart from {t1} | except {t1} | except for {t1} | but not {t1} | not {t1}"
        " | {thing} != {t1} | besides {t1} | ignoring {t1} | where {thing} isn't {t1} | disregarding {t1} | for all {things} but {t1}"
    ),
    "thing in ('{t1}', '{t2}')": "for {t1} or {t2} | {t1} or {t2} only | only {t1} and {t2} | for {t1} and {t2} together | where {thing} is {t1} or {t2} | where {thing} is either {t1} or {t2}",
    "thing not in ('{t1}', '{t2}')": "excluding {t1} and {t2} | without {t1} and {t2} | except {t1} or {t2} | where {thing} is neither {t1} nor {t2} | other than {t1} and {t2}",
    "paid": "just {paid} ones | only {paid} ones | that are {paid} | where {paid} is yes | only if {paid} | {paid} only | considering only {paid} {rows} | among {paid} {rows} | if {paid} = yes | which are {paid}",
    "not paid": "that are not {paid} | where {paid} is no | excluding {paid} ones | not {paid} | leaving out {paid} {rows} | ignoring {paid} ones | which aren't {paid} | among {rows} that are not {paid}",
    "fee >= 20": "with {fee} of at least 20 | with {fee} >= 20 | {fee} >= 20 | with {fee} of 20 or more | where {fee} is 20 or higher | with {fee} not less than 20 | with {fee} no lower than 20 | with {fee} from 20 up | if {fee} is at least 20",
    "fee < 30": "with {fee} below 30 | {fee} < 30 | with a {fee} of less than 30 | where {fee} is under 30 | with {fee} smaller than 30 | whose {fee} is below 30 | when {fee} is lower than 30",
    "fee between 20 and 40": "with {fee} between 20 and 40 | with a {fee} from 20 to 40 | with {fee} of 20 to 40 | where {fee} is between 20 and 40 | with {fee} in the range 20-40 | {fee} 20 to 40 | with {fee} >= 20 and <= 40",
    "qty > 3": "with more than 3 {qty} | with {qty} over 3 | where {qty} exceeds 3 | {qty} > 3 | with {qty} greater than 3 | with over 3 {qty} | having {qty} above 3 | if {qty} is more than 3",
    "day >= date '2024-03-01'": "from March on | since March | starting in March | from March 2024 onwards | March 2024 or later | after February 2024 | from March 1 2024 | beginning in March | since the beginning of March | not before March 2024",
    "day < date '2024-03-01'": "before March 2024 | until the end of February 2024 | up to March 1 2024, exclusive | earlier than March 2024 | through February 2024 | prior to March 2024",
    "day between date '2024-03-01' and date '2024-05-31'": "between March and May | from March to May | March to May | from March through May | in March, April and May | Mar-May | March through May 2024 | between March 2024 and May 2024 | in spring | during spring | in the spring of 2024",
    "day between date '2024-04-01' and date '2024-06-30'": "in Q2 | for Q2 2024 | in the second quarter | during Q2 | Q2 only | in 2024 Q2 | second quarter only | in the 2nd quarter of 2024 | in quarter 2",
    "day between date '2024-03-01' and date '2024-03-31'": "in March | dated March 2024 | in March 2024 | for March | during March | March only | in 2024-03 | in the month of March | for the month of March 2024 | just March | in 03/2024 | in Mar 2024",
    "note is null": "without a {note} | with no {note} | where {note} is empty | that have no {note} | lacking a {note} | if {note} is missing",
    "note is not null": "with a {note} | where {note} is not empty | that have a {note} | having a {note} | if {note} is filled in | where {note} is present",
    "note = 'late'": "where {note} is late | with {note} late | with the {note} late | {note} = late | whose {note} is late | marked late | with late in {note}",
}


_SEVERAL: Final = {"orders": "fees", "repairs": "bills", "trips": "distances"}
"""Name of a table → what its amounts are called."""


def paraphrased(domain: Domain, *, restricted: bool) -> Domain:
    """Return a table with every meaning in every wording; `restricted` is behind and before every wording of every condition, too."""
    meanings = ((meaning, one) for meaning, text in _MEANINGS.items() for one in _wordings(text))
    conditions = ((one, kept) for kept, text in _CONDITIONS.items() for one in _wordings(text))
    return replace(
        domain,
        words={**domain.words, "fees": _SEVERAL[domain.name]},
        shapes={f"{name}: {said}": (said, *queries) for (name, *queries), said in meanings},
        conditions=dict(conditions) if restricted else {},
    )


def _wordings(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from filter(None, map(str.strip, line.split("|")))
