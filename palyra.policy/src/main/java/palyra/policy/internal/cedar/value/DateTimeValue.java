package palyra.policy.internal.cedar.value;

/**
 * An instant.
 *
 * @param epochMillis milliseconds since 1970-01-01T00:00:00Z, without leap seconds
 */
public record DateTimeValue(long epochMillis) implements ExtensionValue {
    static final String NAME = "datetime";
    private static final long DAY_MILLIS = 86_400_000;

    /**
     * @throws EvaluationException if the text is no instant in one of the forms Cedar knows
     */
    public static DateTimeValue parse(String text) {
        return new DateTimeValue(DateTimeText.parse(text));
    }

    public DateTimeValue offset(DurationValue by) {
        try {
            return new DateTimeValue(Math.addExact(epochMillis, by.millis()));
        } catch (ArithmeticException e) {
            throw EvaluationException.extension(
                    "offset",
                    "overflows when adding an offset: " + this + "+(" + by.millis() + "ms)");
        }
    }

    public DurationValue since(DateTimeValue earlier) {
        try {
            return new DurationValue(Math.subtractExact(epochMillis, earlier.epochMillis));
        } catch (ArithmeticException e) {
            throw EvaluationException.extension(
                    "durationSince",
                    "overflows when computing the duration between " + this + " and " + earlier);
        }
    }

    /** Midnight of the same day, counted towards the past also before 1970. */
    public DateTimeValue date() {
        long day = Math.floorDiv(epochMillis, DAY_MILLIS);
        try {
            return new DateTimeValue(Math.multiplyExact(day, DAY_MILLIS));
        } catch (ArithmeticException e) {
            throw EvaluationException.extension(
                    "toDate", "overflows when computing the date of " + this);
        }
    }

    /** The time since midnight, never negative. */
    public DurationValue time() {
        return new DurationValue(Math.floorMod(epochMillis, DAY_MILLIS));
    }

    @Override
    public String typeName() {
        return NAME;
    }

    @Override
    public String toString() {
        return "(datetime(\"1970-01-01\")).offset(duration(\"" + epochMillis + "ms\"))";
    }
}
