package palyra.console.internal.web;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** How measured numbers are written. */
final class Numbers {
    private static final MathContext DIGITS = new MathContext(4);
    private static final double GROUPED = 1_000;

    private Numbers() {}

    /** Returns a number with four digits that count, or all before the point. */
    static String text(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        BigDecimal number = BigDecimal.valueOf(value);
        if (Math.abs(value) >= GROUPED) {
            return String.format(
                    Locale.ROOT, "%,d", number.setScale(0, RoundingMode.HALF_UP).toBigInteger());
        }
        BigDecimal rounded = number.round(DIGITS).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }
}
