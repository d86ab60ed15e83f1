"""Plain recursive twins of the game tree, its evaluation and CFR, on states of OpenSpiel's
vocabulary.
"""

from fractions import Fraction


def uniform(state):
    """{action: probability} with equal Fractions."""
    actions = state.legal_actions()
    return {action: Fraction(1, len(actions)) for action in actions}


def count(state):
    """{"nodes", "terminal", "chance", "decision"} and {player: information-state strings}."""
    totals = {"nodes": 0, "terminal": 0, "chance": 0, "decision": 0}
    texts = {0: set(), 1: set()}

    def walk(node):
        totals["nodes"] += 1
        if node.is_terminal():
            totals["terminal"] += 1
            return
        if node.is_chance_node():
            totals["chance"] += 1
        else:
            totals["decision"] += 1
            texts[node.current_player()].add(node.information_state_string())
        for action in node.legal_actions():
            walk(node.child(action))

    walk(state)
    return totals, texts


def value(state, policy):
    """Player 0's expected return when both follow the policy."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(p * value(state.child(action), policy) for action, p in state.chance_outcomes())
    entry = policy[state.information_state_string()]
    return sum(p * value(state.child(action), policy) for action, p in entry.items() if p)


def best_response_value(root, policy, player):
    """The player's own value of a best response, one information set after the other."""
    return BestResponder(root, policy, player).worth(root)


class BestResponder:
    """One player's best response to the other's part of a policy."""

    def __init__(self, root, policy, player):
        self.policy = policy
        self.player = player
        self.members = {}  # information state -> [(state, the others' probability of reaching it)]
        self.choice = {}
        self.collect(root, 1)

    def steps(self, state):
        """(action, probability) of a step that is not the player's."""
        if state.is_chance_node():
            return state.chance_outcomes()
        return [(a, p) for a, p in self.policy[state.information_state_string()].items() if p]

    def collect(self, state, reach):
        """Sort the player's decisions below a state into information sets."""
        if state.is_terminal():
            return
        if state.current_player() != self.player:
            for action, p in self.steps(state):
                self.collect(state.child(action), reach * p)
            return
        self.members.setdefault(state.information_state_string(), []).append((state, reach))
        for action in state.legal_actions():
            self.collect(state.child(action), reach)

    def worth(self, state):
        """The player's value of a state when it responds best."""
        if state.is_terminal():
            return state.returns()[self.player]
        if state.current_player() == self.player:
            return self.worth(state.child(self.best(state.information_state_string())))
        return sum(p * self.worth(state.child(action)) for action, p in self.steps(state))

    def best(self, text):
        """The best action of an information set."""
        if text not in self.choice:
            totals = {}
            for action in self.members[text][0][0].legal_actions():
                totals[action] = sum(
                    reach * self.worth(state.child(action)) for state, reach in self.members[text]
                )
            self.choice[text] = max(totals, key=totals.get)
        return self.choice[text]


class PlainCFR:
    """Counterfactual regret minimisation by walking the states, with dictionaries.

    ``variant``: "cfr", "cfr+", "lcfr", "dcfr" (1.5, 0) or "pcfr+"; averages the played strategies
    with weight t ** power.
    """

    def __init__(self, root, variant, power, alternating=True):
        self.root = root
        self.variant = variant
        self.power = power
        self.alternating = alternating
        self.regret, self.gain, self.sums, self.current = {}, {}, {}, {}
        self.t = 0

    def strategy(self, state):
        text = state.information_state_string()
        if text not in self.current:
            actions = state.legal_actions()
            self.regret[text] = dict.fromkeys(actions, 0.0)
            self.gain[text] = dict.fromkeys(actions, 0.0)
            self.sums[text] = dict.fromkeys(actions, 0.0)
            self.current[text] = dict.fromkeys(actions, 1 / len(actions))
        return self.current[text]

    def walk(self, state, player, own, other):
        """The player's value of a state; own and other reach probabilities on the way to it."""
        if state.is_terminal():
            return state.returns()[player]
        if state.is_chance_node():
            return sum(
                p * self.walk(state.child(action), player, own, other * p)
                for action, p in state.chance_outcomes()
            )
        strategy = self.strategy(state)
        if state.current_player() != player:
            return sum(
                p * self.walk(state.child(action), player, own, other * p)
                for action, p in strategy.items()
            )
        values = {
            action: self.walk(state.child(action), player, own * p, other)
            for action, p in strategy.items()
        }
        total = sum(strategy[action] * worth for action, worth in values.items())
        text = state.information_state_string()
        for action, worth in values.items():
            self.gain[text][action] += other * (worth - total)
            self.sums[text][action] += self.t**self.power * own * strategy[action]
        return total

    def update(self, texts):
        """Regrets and the next strategies from the gains that a walk has gathered."""
        for text in texts:
            gain, regret = self.gain[text], self.regret[text]
            lean = gain if self.variant == "pcfr+" else dict.fromkeys(gain, 0.0)
            for action in regret:
                regret[action] = self.discounted(regret[action] + gain[action])
            positive = {action: max(0.0, regret[action] + lean[action]) for action in regret}
            total = sum(positive.values())
            self.current[text] = {
                action: p / total if total > 0 else 1 / len(positive)
                for action, p in positive.items()
            }
            self.gain[text] = dict.fromkeys(regret, 0.0)

    def discounted(self, regret):
        if self.variant in ("cfr+", "pcfr+"):
            return max(regret, 0.0)
        if self.variant == "lcfr":
            return regret * self.t / (self.t + 1)
        if self.variant == "dcfr":
            return regret * (self.t**1.5 / (self.t**1.5 + 1) if regret > 0 else 0.5)
        return regret

    def iterate(self):
        self.t += 1
        owned = {0: set(), 1: set()}
        for player in range(2):
            self.walk(self.root, player, 1.0, 1.0)
            owned[player] = {text for text, gain in self.gain.items() if self.owner(text) == player}
            if self.alternating:
                self.update(owned[player])
        if not self.alternating:
            self.update(owned[0] | owned[1])

    def owner(self, text):
        """Whose information set it is, looked up once by walking the states."""
        if not hasattr(self, "owners"):
            _, texts = count(self.root)
            self.owners = {name: player for player, names in texts.items() for name in names}
        return self.owners[text]

    def average(self):
        policy = {}
        for text, sums in self.sums.items():
            total = sum(sums.values())
            policy[text] = {
                action: share / total if total > 0 else 1 / len(sums)
                for action, share in sums.items()
            }
        return policy
