"""Sparse elimination in exact arithmetic: solves with a matrix and with its transpose."""

import heapq
from collections.abc import Sequence
from typing import Any

__all__ = ["SparseLU"]


class SparseLU:
    """The elimination of a square matrix of exact numbers, pivots chosen to keep it sparse.

    ``rows``: a dictionary {column: number} for each row; they are used up. Numbers are Fractions or
    anything with exact ``+ - * /``. The next pivot stands in the column with the fewest entries,
    and there in the shortest row (H. Markowitz, 1957, one side at a time). ZeroDivisionError when
    singular.
    """

    def __init__(self, rows: list[dict[int, Any]]) -> None:
        self.size: int = len(rows)
        self.rows: list[dict[int, Any]] = rows
        self.columns: list[set[int]] = [set() for _ in rows]
        for number, row in enumerate(rows):
            for column in row:
                self.columns[column].add(number)
        self.heap: list[tuple[int, int]] = [
            (len(column), number) for number, column in enumerate(self.columns)
        ]
        heapq.heapify(self.heap)
        # (row, column, pivot, rest of its row, [(row, multiple of the pivot's row taken off it)])
        self.steps: list[tuple[int, int, Any, dict[int, Any], list[tuple[int, Any]]]] = []
        self.done: list[bool] = [False] * self.size
        for _ in range(self.size):
            self.eliminate(self.next_column())

    def next_column(self) -> int:
        """The column with the fewest entries left; the heap also holds counts that are out of date."""
        while True:
            count, column = heapq.heappop(self.heap)
            if not self.done[column] and count == len(self.columns[column]):
                if count == 0:
                    raise ZeroDivisionError("the matrix is singular")
                return column

    def eliminate(self, column: int) -> None:
        """Take the pivot's row off all others that have an entry in its column."""
        self.done[column] = True
        pivot_row = min(self.columns[column], key=lambda number: (len(self.rows[number]), number))
        rest = self.rows[pivot_row]
        pivot = rest.pop(column)
        for other in rest:
            self.columns[other].discard(pivot_row)
        taken = []
        for number in sorted(self.columns[column] - {pivot_row}):
            factor = self.rows[number].pop(column) / pivot
            taken.append((number, factor))
            self.subtract(number, factor, rest)
        for other in rest:
            heapq.heappush(self.heap, (len(self.columns[other]), other))
        self.steps.append((pivot_row, column, pivot, rest, taken))

    def subtract(self, number: int, factor: Any, rest: dict[int, Any]) -> None:
        """Row minus factor times the rest of the pivot's row."""
        row = self.rows[number]
        for column, value in rest.items():
            before = row.get(column)
            if before is None:
                row[column] = -factor * value
                self.columns[column].add(number)
                continue
            after = before - factor * value
            if after == 0:
                del row[column]
                self.columns[column].discard(number)
            else:
                row[column] = after

    def solve(self, right: Sequence[Any]) -> list[Any]:
        """z with M z = right."""
        right, z = list(right), [0] * self.size
        for row, _, _, _, taken in self.steps:
            if right[row] != 0:
                for other, factor in taken:
                    right[other] -= factor * right[row]
        for row, column, pivot, rest, _ in reversed(self.steps):
            total = right[row]
            for other, value in rest.items():
                if z[other] != 0:
                    total -= value * z[other]
            z[column] = total / pivot
        return z

    def solve_transposed(self, right: Sequence[Any]) -> list[Any]:
        """w with w M = right."""
        right, w = list(right), [0] * self.size
        for row, column, pivot, rest, _ in self.steps:
            w[row] = right[column] / pivot
            if w[row] != 0:
                for other, value in rest.items():
                    right[other] -= value * w[row]
        for row, _, _, _, taken in reversed(self.steps):
            for other, factor in taken:
                if w[other] != 0:
                    w[row] -= factor * w[other]
        return w
