package palyra.policy.internal.cedar.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A span of time, possibly negative. */
public record DurationValue(long millis) implements ExtensionValue {
    private static final String NAME = "duration";
    private static final long[] UNIT_MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    private static final Pattern FORM =
            Pattern.compile(
                    "(-?)(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?(?:([0-9]+)ms)?");

    /**
     * @param text for example {@code 1d2h3m4s5ms} or {@code -90s}
     * @throws EvaluationException if the text is no duration or does not fit
     */
    public static DurationValue parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || text.isEmpty() || text.equals("-")) {
            throw EvaluationException.extension(NAME, "invalid duration pattern");
        }
        try {
            return new DurationValue(sum(form));
        } catch (ArithmeticException | NumberFormatException e) {
            throw EvaluationException.extension(NAME, "Duration overflows internal representation");
        }
    }

    /**
     * Smallest unit first, each part with the sign: the least value has no positive counterpart.
     */
    private static long sum(Matcher form) {
        String sign = form.group(1);
        long millis = 0;
        for (int unit = UNIT_MILLIS.length - 1; unit >= 0; unit--) {
            String digits = form.group(unit + 2);
            if (digits != null) {
                long part = Long.parseLong(sign + digits);
                millis = Math.addExact(millis, Math.multiplyExact(part, UNIT_MILLIS[unit]));
            }
        }
        return millis;
    }

    @Override
    public String typeName() {
        return NAME;
    }

    @Override
    public String toString() {
        return "duration(\"" + millis + "ms\")";
    }
}
