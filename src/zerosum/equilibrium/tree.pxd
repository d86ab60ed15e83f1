# A game flattened once: the arrays that every algorithm of this package runs on.

from libc.stdint cimport int64_t, uint64_t

from zerosum.core.hidden cimport HiddenState
from zerosum.core.state cimport State
from zerosum.equilibrium.buffer cimport Buffer


cdef struct Frame:                 # a node on the way from the root to where the walk is
    size_t base                    # where its actions begin in the pool
    int count                      # actions, and how many of them have been walked
    int next
    int player
    int first                      # sequence of its first action
    int sequence[2]                # both players' sequences at the node
    int child                      # node number of its first child
    double reach                   # chance's probability of coming here


cdef struct Table:                 # information keys to numbers: open addressing, a power of two of slots
    uint64_t* keys
    int* numbers                   # -1 where a slot is free
    size_t slots
    size_t used


cdef class GameTree:
    cdef readonly object game
    cdef readonly int num_players
    # Node arrays, empty when the tree was made with nodes=False.
    cdef readonly object node_parent, node_first, node_count, node_player, node_infoset, node_action
    cdef readonly object node_chance       # probability of the step to a node when chance made it, else 1
    cdef readonly object node_utility      # player 0's return where the game is over, else 0
    # By player: sequences of an information set are offsets[i] .. offsets[i + 1] - 1; 0 is the empty one.
    cdef readonly tuple offsets
    cdef readonly tuple parents            # the owner's sequence before an information set
    cdef readonly tuple actions            # the action that ends a sequence; -1 for the empty one
    # Player 0's chance-weighted payoff by pair of sequences, sorted, zeros left out.
    cdef readonly object payoff_rows, payoff_columns, payoff_values
    cdef readonly long long num_nodes, num_terminals, num_chance_nodes, num_decision_nodes
    cdef list texts                        # information-state strings by player, None until asked for
    cdef dict text_index
    cdef list paths                        # by player: (offsets, actions) of the first history of each set
    cdef readonly object cache             # what algorithms derive from the tree and keep with it

    cdef int fill(self, State state, Walk walk) except -1
    cdef int take(self, dict arrays, dict meta) except -1


cdef class Walk:
    cdef State state
    cdef HiddenState hidden                # the same state, when it is one
    cdef bint keep_nodes
    cdef bint unique                       # nothing is hidden: every node is its own information set
    cdef size_t limit
    cdef object progress
    cdef Buffer frames, pool_actions, pool_chance
    cdef Buffer parent, first, count, player, infoset, action, chance, utility
    cdef Buffer rows, columns, weights
    cdef Buffer offsets[2]
    cdef Buffer parents[2]
    cdef Buffer sequence_action[2]
    cdef Buffer path_offsets[2]
    cdef Buffer path_actions[2]
    cdef Table table[2]
    cdef list numbers                      # by player: information-state string -> number
    cdef list texts
    cdef long long nodes, terminals, chances, decisions

    cdef int run(self) except -1 nogil
    cdef int open_node(self, int node, int row, int column, double reach) except -1 nogil
    cdef int open_chance(self, Frame* frame, int* actions, int node) except -1 nogil
    cdef int open_decision(self, Frame* frame, int* actions, int node) except -1 nogil
    cdef int leaf(self, int node, int row, int column, double reach) except -1 nogil
    cdef int new_children(self, Frame* frame, int* actions, double* chance, int node) except -1 nogil
    cdef int find_infoset(self, int player) except -2 nogil
    cdef int new_infoset(self, int player, int count, int* actions, int parent) except -1 nogil
    cdef int check_infoset(self, int number, Frame* frame, int* actions) except -1 nogil
    cdef int fail_clash(self, int number, Frame* frame, bint actions_differ) except -1
    cdef int heartbeat(self) except -1 nogil
    cdef size_t bytes_used(self) noexcept nogil
    cdef int push_node(self, int parent, int action, double chance) except -1 nogil
