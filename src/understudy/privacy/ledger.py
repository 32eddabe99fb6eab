"""The ledger: the budget of one table's people, kept in a file that survives the process and refuses to overspend.

Law.    Reserve durably before the first look; charge durably before each look; never refund. The release id is the key:
        asking again for the same is granted again at no cost, asking under it for anything else is refused.

Math.   Over releases, basic composition in exact fractions:  sum epsilon_r <= E  and  sum delta_r <= D.
        Within a release (epsilon_r, delta_r), of which d is reserved for thresholds, the charges obey the filter of
        `Budget.total(d)`:  sum rho <= rho_within(epsilon_r, delta_r - d)  and  sum delta <= d,  or  sum eps <= epsilon_r.
        Both hold for questions chosen after earlier answers. Proof: proof/ledger.md.

Tampering.  Every entry is sealed by the one before it (chain.py). The budget is the first entry, so that it cannot be
raised afterwards. A file that was put back from an older copy is found by `covers`, with a receipt from elsewhere.
"""

import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from understudy.privacy.accountant import Budget, Filter
from understudy.privacy.audit import audit
from understudy.privacy.chain import Book, Entry, create, transaction
from understudy.privacy.charge import Charge
from understudy.privacy.receipt import Receipt, Step
from understudy.refusal import BudgetRefused, Misuse, Tampered
from understudy.schema.relation import Relation
