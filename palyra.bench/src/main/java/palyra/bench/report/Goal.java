package palyra.bench.report;

/** What a figure is to be. Printed beside it and judged, never asserted. */
public sealed interface Goal {
    /** Nothing was promised. */
    record None() implements Goal {}

    /** Our figure itself is at least this. */
    record AtLeast(double figure) implements Goal {}

    /** Our figure itself is at most this. */
    record AtMost(double figure) implements Goal {}

    /** Our figure divided by the peer's is at most this. */
    record RatioAtMost(double ratio) implements Goal {}

    /** Our figure itself is at most the one, and divided by the peer's at most the other. */
    record Both(double figure, double ratio) implements Goal {}

    /** Returns whether the figures fulfil it; nothing promised is nothing missed. */
    default boolean met(double ours, double ratio) {
        return switch (this) {
            case None none -> true;
            case AtLeast goal -> ours >= goal.figure();
            case AtMost goal -> ours <= goal.figure();
            case RatioAtMost goal -> ratio <= goal.ratio();
            case Both goal -> ours <= goal.figure() && ratio <= goal.ratio();
        };
    }

    /** Returns the goal in words; {@code unit} is that of our figure. */
    default String text(String unit) {
        return switch (this) {
            case None none -> "none";
            case AtLeast goal -> "≥ " + Measure.number(goal.figure()) + " " + unit;
            case AtMost goal -> "≤ " + Measure.number(goal.figure()) + " " + unit;
            case RatioAtMost goal -> "ratio ≤ " + Measure.number(goal.ratio());
            case Both goal ->
                    new AtMost(goal.figure()).text(unit)
                            + " and "
                            + new RatioAtMost(goal.ratio()).text(unit);
        };
    }
}
