"""What survives of document 001's conclusions. Written by hand, after the tables below it were read."""

CONCLUSIONS = """## Which conclusions of the document survive

* **"DP makes these attacks less effective": true, and only the overfitted model shows it.** There LiRA finds 23 % of the
  members at 1 % false positives on the exact model, and about 1 % on every private one up to epsilon 10. On the document's
  own data there is little to defend: LiRA's AUC on the exact models is 0.53 at most; with 25 people or more a parameter,
  nobody stands out.
* **"The attack's accuracy follows log epsilon and levels out near epsilon 1": does not survive.** On the document's four
  tasks the printed attack lies between 0.499 and 0.506 at every epsilon, private or not, with no trend; single runs range over
  0.41 to 0.58. Averages of ten runs, as in the document, wander by a percent or more by chance. Its epsilon axis meant
  nothing besides, for delta = exp(-eps^3 N) changed with it.
* **"The attack makes most sense on the multinomial model": does not survive.** Its LiRA and its printed attack are those of
  the other tasks.
* **"Below 50 % shows protection": false.** A score that is below one half is as good an attack as one above it, turned
  round. The entropy of the overfitted model under DP Frank-Wolfe has an AUC of 0.47 at epsilon 10: that is a leak.
* **"DP costs little accuracy": true of well separated classes**, where 300 people at epsilon 1 give 97 % (DP Frank-Wolfe)
  and 100 % (DP-SGD); not at epsilon 0.1 (76 % and 74 %), and not where people are few and features many: on the overfitted
  task no private model is right in more than 56 %, the exact one in 62 %.
* **"DP-SGD converges faster": on this page it does on the classifiers and does not on the regression**, and neither says
  much: steps were chosen for their price in CPU. DP-SGD's 60 stop at an R^2 of 0.50 on the Lasso whatever epsilon is, where DP
  Frank-Wolfe has 0.95. DP Frank-Wolfe's 30 are too few for the multinomial's ball: it gets worse beyond epsilon 1, and 30 exact
  steps come to 0.53 there, 300 to 0.92. The noise of a choice helps where the exact path swings between vertices.
* **"More overlap makes private learning fail": weaker than that.** At 60 % and epsilon 1 it is 89 % and 96 % right, where the
  exact models are 98 %.
* **"The threshold must be kept private, and the attack depends on it": true, and it is not needed.** A cut from other runs
  does as well, and LiRA has a cut for each person.
* **"Accuracy is how an attack is judged": no.** On the overfitted exact model the printed attack is right in 75 % of cases,
  which does not say that one member in four is told almost surely; TPR at a low FPR does."""
