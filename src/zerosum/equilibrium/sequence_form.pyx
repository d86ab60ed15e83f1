# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The sequence form laid out for sweeps: payoffs against a plan, plans from behaviour, best replies."""

import numpy as np
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from zerosum.equilibrium.tree cimport GameTree
from zerosum.equilibrium.tree import as_tree

cdef enum:
    WIDTH = 4                      # rows in a slice
    CHAIN_FROM = 16                # shorter rows are never stored as differences


cdef class SequenceForm:
    """SequenceForm(tree)\n--\n
    A GameTree's payoffs and information sets in the order that sweeps want them.
    """

    def __cinit__(self, GameTree tree not None):
        cdef int player
        self.tree = tree
        for player in range(2):
            lay_out(&self.side[player], tree.offsets[player], tree.parents[player])
        for player in range(2):
            lay_out_payoffs(&self.side[player], &self.side[1 - player], player, tree)

    def __dealloc__(self):
        cdef int player
        cdef Side* side
        for player in range(2):
            side = &self.side[player]
            free(side.group)
            free(side.parent)
            free(side.position)
            free(side.length)
            free(side.rows)
            free(side.columns)
            free(side.values)
            free(side.chain_row)
            free(side.chain_base)
            free(side.chain_start)
            free(side.chain_columns)
            free(side.chain_values)

    cdef double* new_scratch(self) except NULL:
        # For both players: a number for each sequence and a spare one, then one for each information set.
        cdef size_t most = max(self.side[0].sequences + self.side[0].widest,
                               self.side[1].sequences + self.side[1].widest)
        return <double*>allocate((most + 2) * sizeof(double))

    cdef void gradient(self, int player, const double* plan, double* out) noexcept nogil:
        # out[s] = the player's payoff for sequence s against the opponent's plan. One spare place
        # behind the last sequence takes what the rows that only fill up a slice come to.
        cdef Side* side = &self.side[player]
        cdef const int* columns = side.columns
        cdef const double* values = side.values
        cdef const int* rows = side.rows
        cdef double sum0, sum1, sum2, sum3
        cdef int slice_number, i
        cdef int64_t at
        memset(out, 0, side.sequences * sizeof(double))
        for slice_number in range(side.slices):
            sum0 = sum1 = sum2 = sum3 = 0.0
            for i in range(side.length[slice_number]):
                sum0 += values[0] * plan[columns[0]]
                sum1 += values[1] * plan[columns[1]]
                sum2 += values[2] * plan[columns[2]]
                sum3 += values[3] * plan[columns[3]]
                values += WIDTH
                columns += WIDTH
            out[rows[0]] = sum0
            out[rows[1]] = sum1
            out[rows[2]] = sum2
            out[rows[3]] = sum3
            rows += WIDTH
        for i in range(side.chained):
            sum0 = out[side.chain_base[i]]
            for at in range(side.chain_start[i], side.chain_start[i + 1]):
                sum0 += side.chain_values[at] * plan[side.chain_columns[at]]
            out[side.chain_row[i]] = sum0

    cdef void realize(self, int player, const double* behaviour, double* plan) noexcept nogil:
        # plan[s] = the product of the player's own probabilities along s.
        cdef Side* side = &self.side[player]
        cdef Group* group
        cdef const int* parent
        cdef int number, action, j, at
        plan[0] = 1.0
        for number in range(side.groups):
            group = side.group + number
            parent = side.parent + group.infoset
            at = group.start
            for action in range(group.actions):
                for j in range(group.count):
                    plan[at + j] = plan[parent[j]] * behaviour[at + j]
                at += group.count

    cdef double best_value(self, int player, double* q, double* value) noexcept nogil:
        # The value of a best reply, from the gradient in q, which becomes the values of sequences.
        cdef Side* side = &self.side[player]
        cdef Group* group
        cdef double* here
        cdef const int* parent
        cdef int number, action, j
        for number in range(side.groups - 1, -1, -1):
            group = side.group + number
            parent = side.parent + group.infoset
            here = q + group.start
            for j in range(group.count):
                value[j] = here[j]
            for action in range(1, group.actions):
                here += group.count
                for j in range(group.count):
                    value[j] = here[j] if here[j] > value[j] else value[j]
            for j in range(group.count):
                q[parent[j]] += value[j]
        return q[0]

    cdef double best_reply(self, int player, double* q, double* behaviour) noexcept nogil:
        # The same, and the reply itself: 1 for the first best action of every information set, else 0.
        cdef Side* side = &self.side[player]
        cdef Group* group
        cdef int number, action, j, best
        behaviour[0] = 1.0
        for number in range(side.groups - 1, -1, -1):
            group = side.group + number
            for j in range(group.count):
                best = group.start + j
                for action in range(group.actions):
                    behaviour[group.start + action * group.count + j] = 0.0
                    if q[group.start + action * group.count + j] > q[best]:
                        best = group.start + action * group.count + j
                behaviour[best] = 1.0
                q[side.parent[group.infoset + j]] += q[best]
        return q[0]

    cdef double gap(self, const double* plan0, const double* plan1, double* best,
                    double* scratch) noexcept nogil:
        # Both players' best replies' values; their sum is the nash_conv of the two plans.
        self.gradient(0, plan1, scratch)
        best[0] = self.best_value(0, scratch, scratch + self.side[0].sequences + 1)
        self.gradient(1, plan0, scratch)
        best[1] = self.best_value(1, scratch, scratch + self.side[1].sequences + 1)
        return best[0] + best[1]


cdef SequenceForm sequence_form(object game_or_tree):
    # The layout of a tree is made once and kept with it.
    cdef GameTree tree = as_tree(game_or_tree)
    form = tree.cache.get("sequence form")
    if form is None:
        form = tree.cache.setdefault("sequence form", SequenceForm(tree))
    return form


cdef void* allocate(size_t size) except NULL:
    cdef void* memory = calloc(size + 8, 1)
    if memory == NULL:
        raise MemoryError(f"no memory for {size} bytes")
    return memory


cdef int lay_out(Side* side, const int[::1] offsets, const int[::1] parents) except -1:
    # Number the groups by depth and by number of actions, and give every sequence its position.
    cdef int infosets = <int>parents.shape[0]
    cdef int i, action, depth, deepest = 0, most = 0
    cdef int* owner = NULL         # information set of a sequence
    cdef int* rank = NULL          # information set -> depth * (most + 1) + actions
    cdef int* order = NULL
    cdef int* first = NULL
    side.infosets = infosets
    side.sequences = offsets[infosets]
    side.parent = <int*>allocate(infosets * sizeof(int))
    side.position = <int*>allocate(side.sequences * sizeof(int))
    try:
        owner = <int*>allocate(side.sequences * sizeof(int))
        rank = <int*>allocate(infosets * sizeof(int))
        order = <int*>allocate(infosets * sizeof(int))
        for i in range(infosets):
            most = max(most, offsets[i + 1] - offsets[i])
        for i in range(infosets):
            for action in range(offsets[i], offsets[i + 1]):
                owner[action] = i
            depth = 0 if parents[i] == 0 else rank[owner[parents[i]]] // (most + 1) + 1
            deepest = max(deepest, depth)
            if <int64_t>(deepest + 1) * (most + 1) > 0x7FFFFFF0:
                raise MemoryError(f"{deepest + 1} levels with up to {most} actions are too many")
            rank[i] = depth * (most + 1) + offsets[i + 1] - offsets[i]
        first = <int*>allocate(((deepest + 1) * (most + 1) + 1) * sizeof(int))
        for i in range(infosets):
            first[rank[i] + 1] += 1
        make_groups(side, first, (deepest + 1) * (most + 1), most + 1)
        for i in range(infosets):
            order[first[rank[i]]] = i
            first[rank[i]] += 1
        place_sequences(side, order, offsets, parents)
    finally:
        free(owner)
        free(rank)
        free(order)
        free(first)
    return 0


cdef int make_groups(Side* side, int* first, int ranks, int base) except -1:
    # first[r + 1] holds how many information sets have rank r, and becomes where they begin.
    cdef int r, count, start = 1, infoset = 0
    for r in range(ranks):
        side.groups += first[r + 1] > 0
    side.group = <Group*>allocate(side.groups * sizeof(Group))
    side.groups = 0
    for r in range(ranks):
        count = first[r + 1]
        first[r + 1] = first[r] + count
        if count:
            side.group[side.groups] = Group(start=start, infoset=infoset, count=count, actions=r % base)
            side.groups += 1
            side.widest = max(side.widest, count)
            start += count * (r % base)
            infoset += count
    return 0


cdef int place_sequences(Side* side, const int* order, const int[::1] offsets,
                         const int[::1] parents) except -1:
    cdef int number, j, action, infoset
    cdef Group* group
    for number in range(side.groups):
        group = side.group + number
        for j in range(group.count):
            infoset = order[group.infoset + j]
            for action in range(group.actions):
                side.position[offsets[infoset] + action] = group.start + action * group.count + j
    for j in range(side.infosets):
        side.parent[j] = side.position[parents[order[j]]]
    return 0


# ---- payoffs ------------------------------------------------------------------------------------------

cdef struct Rows:                  # payoffs by row of one player, entries in order of the column
    int count
    int64_t* start
    int* columns
    double* values


cdef int lay_out_payoffs(Side* side, Side* other, int player, GameTree tree) except -1:
    cdef Rows rows
    cdef int* base = NULL
    cdef const int[::1] own = tree.payoff_rows if player == 0 else tree.payoff_columns
    cdef const int[::1] others = tree.payoff_columns if player == 0 else tree.payoff_rows
    cdef const double[::1] values = tree.payoff_values
    rows.start = NULL
    rows.columns = NULL
    rows.values = NULL
    try:
        collect_rows(&rows, side.sequences, own, others, values, 1.0 if player == 0 else -1.0)
        base = <int*>allocate(rows.count * sizeof(int))
        find_bases(&rows, other.sequences, base)
        fill_slices(side, other, &rows, base)
        fill_chains(side, other, &rows, base)
    finally:
        free(rows.start)
        free(rows.columns)
        free(rows.values)
        free(base)
    return 0


cdef int collect_rows(Rows* rows, int count, const int[::1] own, const int[::1] others,
                      const double[::1] values, double sign) except -1:
    cdef int64_t i, entries = own.shape[0]
    cdef int row
    rows.count = count
    rows.start = <int64_t*>allocate((count + 2) * sizeof(int64_t))
    rows.columns = <int*>allocate(entries * sizeof(int))
    rows.values = <double*>allocate(entries * sizeof(double))
    for i in range(entries):
        rows.start[own[i] + 2] += 1
    for row in range(count):
        rows.start[row + 2] += rows.start[row + 1]
    for i in range(entries):
        row = own[i]
        rows.columns[rows.start[row + 1]] = others[i]
        rows.values[rows.start[row + 1]] = sign * values[i]
        rows.start[row + 1] += 1
    return 0


cdef int64_t difference(const Rows* rows, int row, int base, int* columns, double* values) noexcept nogil:
    # How many entries turn the base row into the row; they are written out when there is where to.
    cdef int64_t i = rows.start[row], i_end = rows.start[row + 1]
    cdef int64_t j = rows.start[base], j_end = rows.start[base + 1]
    cdef int64_t count = 0
    cdef int column
    cdef double value
    while i < i_end or j < j_end:
        if j == j_end or (i < i_end and rows.columns[i] < rows.columns[j]):
            column, value = rows.columns[i], rows.values[i]
            i += 1
        elif i == i_end or rows.columns[j] < rows.columns[i]:
            column, value = rows.columns[j], -rows.values[j]
            j += 1
        else:
            column, value = rows.columns[i], rows.values[i] - rows.values[j]
            i += 1
            j += 1
        if value != 0.0:
            if columns != NULL:
                columns[count] = column
                values[count] = value
            count += 1
    return count


cdef int find_bases(const Rows* rows, int num_columns, int* base) except -1:
    # The last earlier row with the same first column, when the difference to it is less than half as
    # long; -1 else. Hands dealt from one deck give such rows: next to each other, they lose to one more.
    cdef int* latest = <int*>allocate(num_columns * sizeof(int))
    cdef int row, candidate
    cdef int64_t at, length
    memset(latest, 0xFF, num_columns * sizeof(int))
    for row in range(rows.count):
        base[row] = -1
        length = rows.start[row + 1] - rows.start[row]
        if length < CHAIN_FROM:
            continue
        candidate = latest[rows.columns[rows.start[row]]]
        if candidate >= 0 and 2 * difference(rows, row, candidate, NULL, NULL) < length:
            base[row] = candidate
        for at in range(rows.start[row], rows.start[row + 1]):
            latest[rows.columns[at]] = row
    free(latest)
    return 0


cdef int fill_slices(Side* side, const Side* other, const Rows* rows, const int* base) except -1:
    cdef int i, number, row, count = 0, longest = 0
    cdef int64_t at, length, total = 0
    cdef int* order = NULL
    cdef int64_t* first = NULL
    for row in range(rows.count):
        longest = max(longest, <int>(rows.start[row + 1] - rows.start[row]))
    try:
        order = <int*>allocate((rows.count + WIDTH) * sizeof(int))
        first = <int64_t*>allocate((longest + 2) * sizeof(int64_t))
        count = longest_first(rows, base, longest, first, order)
        side.slices = (count + WIDTH - 1) // WIDTH
        side.length = <int*>allocate(side.slices * sizeof(int))
        side.rows = <int*>allocate(side.slices * WIDTH * sizeof(int))
        for number in range(side.slices):
            row = order[WIDTH * number]
            side.length[number] = <int>(rows.start[row + 1] - rows.start[row])
            total += side.length[number]
        side.columns = <int*>allocate(total * WIDTH * sizeof(int))
        side.values = <double*>allocate(total * WIDTH * sizeof(double))
        total = 0
        for number in range(side.slices):
            for i in range(WIDTH):
                if WIDTH * number + i >= count:
                    side.rows[WIDTH * number + i] = side.sequences
                    continue
                row = order[WIDTH * number + i]
                side.rows[WIDTH * number + i] = side.position[row]
                length = rows.start[row + 1] - rows.start[row]
                for at in range(length):
                    side.columns[WIDTH * (total + at) + i] = (
                        other.position[rows.columns[rows.start[row] + at]])
                    side.values[WIDTH * (total + at) + i] = rows.values[rows.start[row] + at]
            total += side.length[number]
    finally:
        free(order)
        free(first)
    return 0


cdef int longest_first(const Rows* rows, const int* base, int longest, int64_t* first, int* order) except -1:
    # Write the rows that have entries and no base, by length, stable; return how many.
    cdef int row, length, count = 0
    for row in range(rows.count):
        if base[row] < 0:
            first[longest - (rows.start[row + 1] - rows.start[row]) + 1] += 1
    for length in range(longest):
        first[length + 1] += first[length]
    for row in range(rows.count):
        length = <int>(rows.start[row + 1] - rows.start[row])
        if base[row] < 0 and length > 0:
            order[first[longest - length]] = row
            first[longest - length] += 1
            count += 1
    return count


cdef int fill_chains(Side* side, const Side* other, const Rows* rows, const int* base) except -1:
    cdef int row, number = 0
    cdef int64_t i, count, total = 0
    for row in range(rows.count):
        if base[row] >= 0:
            side.chained += 1
            total += difference(rows, row, base[row], NULL, NULL)
    side.chain_row = <int*>allocate(side.chained * sizeof(int))
    side.chain_base = <int*>allocate(side.chained * sizeof(int))
    side.chain_start = <int64_t*>allocate((side.chained + 1) * sizeof(int64_t))
    side.chain_columns = <int*>allocate(total * sizeof(int))
    side.chain_values = <double*>allocate(total * sizeof(double))
    total = 0
    for row in range(rows.count):
        if base[row] < 0:
            continue
        count = difference(rows, row, base[row], side.chain_columns + total, side.chain_values + total)
        for i in range(total, total + count):
            side.chain_columns[i] = other.position[side.chain_columns[i]]
        side.chain_row[number] = side.position[row]
        side.chain_base[number] = side.position[base[row]]
        total += count
        number += 1
        side.chain_start[number] = total
    return 0
