package palyra.bench.report;

/**
 * Our figure beside a peer's, measured in the same run on the same machine.
 *
 * @param name such as {@code journal.group-1}
 * @param peer what the peer is, in words
 */
public record Figure(String name, Measure ours, String peer, Measure theirs, Goal goal) {
    /** Checks. */
    public Figure {
        if (!ours.unit().equals(theirs.unit())) {
            throw new IllegalArgumentException(
                    name + " compares " + ours.unit() + " with " + theirs.unit());
        }
    }

    /** Returns our median divided by the peer's. */
    public double ratio() {
        return ours.median() / theirs.median();
    }

    /** Returns whether the goal is met. */
    public boolean met() {
        return goal.met(ours.median(), ratio());
    }

    /** Returns the one line. */
    public String line(Machine machine) {
        String verdict = goal instanceof Goal.None ? "" : met() ? ", met" : ", MISSED";
        return "bench "
                + name
                + ": "
                + ours.text()
                + " vs "
                + peer
                + " "
                + theirs.text()
                + " = ratio "
                + Measure.number(ratio())
                + " (goal "
                + goal.text(ours.unit())
                + verdict
                + ") ["
                + ours.runs().size()
                + " runs, "
                + machine.cores()
                + " cores, JDK "
                + machine.jdk()
                + "]";
    }
}
