"""What survives of document 001's conclusions. Written by hand, after the tables below it were read."""

CONCLUSIONS = """## Which conclusions of the document survive

* **"DP makes these attacks less effective": true, and only the overfitted model shows it.** There LiRA finds 23 % of the
  members at 1 % false positives on the exact model, and about 1 % on every private one up to epsilon 10. On the document's own
  data there is little to defend: LiRA's AUC on the exact models is 0.52 at most; with 25 people or more a parameter, nobody
  stands out.
* **"The attack's accuracy follows log epsilon and levels out near epsilon 1": does not survive.** The printed attack lies between
  0.499 and 0.503 on the Lasso and the logistic model at every epsilon, private or not, with no trend; single runs range over 0.43
  to 0.57. Averages of ten runs, as in the document, wander by a percent or two by chance. Its epsilon axis meant nothing besides,
  for delta = exp(-eps^3 N) changed with it.
* **"Below 50 % shows protection": false.** A score that is below one half is as good an attack as one above it, turned round. The
  entropy of the overfitted model under DP Frank-Wolfe has an AUC of 0.47 at epsilon 10: that is a leak.
* **"DP costs little accuracy": true of well separated classes**, where 300 people at epsilon 1 give 97 % (DP Frank-Wolfe) and
  100 % (DP-SGD); not at epsilon 0.1 (76 % and 74 %), and not where people are few and features many: on the overfitted task no
  private model is right in more than 56 %, the exact one in 62 %.
* **"DP-SGD converges faster": not tested here.** Its 60 steps were chosen for their price in CPU; on the regression they stop at
  an R^2 of 0.50 whatever epsilon is, where DP Frank-Wolfe has 0.95 at epsilon 10.
* **"The threshold must be kept private, and the attack depends on it": true, and it is not needed.** A cut from shadow models does
  as well, and LiRA has a cut for each person.
* **"Accuracy is how an attack is judged": no.** On the overfitted exact model the printed attack is right in 75 % of cases, which
  does not say that one member in four is told almost surely; TPR at a low FPR does."""
