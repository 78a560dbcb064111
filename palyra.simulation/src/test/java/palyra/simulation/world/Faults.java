package palyra.simulation.world;

import java.util.SplittableRandom;
import palyra.journal.internal.SimulatedStore.Verdict;

/** Draws what goes wrong, until it is told to stop. A seed also decides how bad the times are. */
final class Faults {
    private static final int MILLION = 1_000_000;
    private static final Verdict[] OF_WRITES = {
        Verdict.REFUSED,
        Verdict.REFUSED,
        Verdict.REFUSED_AFTER_SUCCESS,
        Verdict.REFUSED_AFTER_SUCCESS,
        Verdict.FULL,
        Verdict.SLOW,
        Verdict.ERROR,
        Verdict.ERROR_AFTER_SUCCESS,
        Verdict.KILLED,
        Verdict.KILLED_AFTER_SUCCESS
    };
    private static final Verdict[] OF_READS = {
        Verdict.REFUSED, Verdict.REFUSED, Verdict.SLOW, Verdict.ERROR, Verdict.KILLED
    };

    private static final Answers.Verdict[] ANSWERS = Answers.Verdict.values();

    private final SplittableRandom random;
    private final int perMillionWrites;
    private final int perMillionCommits;
    private final int perMillionReads;
    private final int perMillionAnswers;
    private boolean over;
    private boolean full;

    Faults(long seed) {
        random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        int severity = random.nextInt(4); // 0: calm, all that happens is what the world does
        perMillionWrites = severity * 2_000;
        perMillionCommits = severity * 15_000;
        perMillionReads = severity * 1_500;
        perMillionAnswers = random.nextInt(4) * 8_000;
    }

    /** From now on everything works. */
    void stop() {
        over = true;
        full = false;
    }

    boolean areOver() {
        return over;
    }

    /** The disk is full, or no longer. */
    void full(boolean isFull) {
        full = isFull && !over;
    }

    Verdict ofMedium(boolean writes, String what) {
        if (over) {
            return Verdict.WORKS;
        }
        if (full && writes && !what.equals("open") && !what.equals("PRAGMA")) {
            return what.equals("ROLLBACK") ? Verdict.WORKS : Verdict.FULL;
        }
        int chance =
                what.equals("COMMIT")
                        ? perMillionCommits
                        : writes ? perMillionWrites : perMillionReads;
        if (random.nextInt(MILLION) >= chance) {
            return Verdict.WORKS;
        }
        Verdict[] choice = writes ? OF_WRITES : OF_READS;
        return choice[random.nextInt(choice.length)];
    }

    Answers.Verdict ofAnswer() {
        if (over || random.nextInt(MILLION) >= perMillionAnswers) {
            return Answers.Verdict.WORKS;
        }
        return ANSWERS[random.nextInt(ANSWERS.length)];
    }

    /** Returns true so often; never once the faults have stopped. */
    boolean happens(int perHundred) {
        return !over && random.nextInt(100) < perHundred;
    }

    /** Draws a number; goes on after the faults have stopped. */
    int below(int bound) {
        return random.nextInt(bound);
    }
}
