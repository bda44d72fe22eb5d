"""The chapters whose drills have slips and errors carried forward; the list disappears when all of them are here."""

from notes_lib.drills import by_chapter

WRITTEN = [
    "clustering/gmm",
    "foundations/estimation",
    "kernels/svm",
    "revision/pencil",
]
TOPICS = [topic for chapter in WRITTEN for topic in by_chapter()[chapter]]
