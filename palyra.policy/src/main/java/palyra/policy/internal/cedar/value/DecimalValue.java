package palyra.policy.internal.cedar.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A decimal number with up to four digits after the point.
 *
 * @param tenThousandths the number times 10,000
 */
public record DecimalValue(long tenThousandths) implements ExtensionValue {
    private static final String NAME = "decimal";
    private static final int DIGITS = 4;
    private static final int SCALE = 10_000;
    private static final Pattern FORM = Pattern.compile("(-?)([0-9]+)\\.([0-9]+)");

    /**
     * @throws EvaluationException if the text is no decimal or does not fit
     */
    public static DecimalValue parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw refused("`" + text + "` is not a well-formed decimal value");
        }
        String fraction = form.group(3);
        if (fraction.length() > DIGITS) {
            throw refused("too many digits after the decimal in `" + text + "`");
        }
        String sign = form.group(1);
        String padding = "0".repeat(DIGITS - fraction.length());
        try {
            return new DecimalValue(Long.parseLong(sign + form.group(2) + fraction + padding));
        } catch (NumberFormatException e) {
            throw refused("overflow when converting to decimal");
        }
    }

    private static EvaluationException refused(String reason) {
        return EvaluationException.extension(NAME, reason);
    }

    @Override
    public String typeName() {
        return NAME;
    }

    @Override
    public String toString() {
        String sign = tenThousandths < 0 ? "-" : "";
        long whole = Math.abs(tenThousandths / SCALE);
        long fraction = Math.abs(tenThousandths % SCALE);
        return "decimal(\"%s%d.%04d\")".formatted(sign, whole, fraction);
    }
}
