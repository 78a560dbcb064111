package palyra.gateway.internal.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import palyra.api.Require;

/** Amounts of money in millionths, from and to decimal text. */
public final class Money {
    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    /** A million units of money: more than any cap or price that makes sense. */
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000L);

    private Money() {}

    /** Reads a decimal number such as {@code 2.50}; fractions of a millionth are rounded up. */
    static long micros(String what, String text) {
        Require.that(
                text.matches("[0-9]{1,10}(\\.[0-9]{1,12})?")
                        && new BigDecimal(text).compareTo(MOST) <= 0,
                what + " '" + text + "' is not usable: a decimal number such as 2.50");
        return new BigDecimal(text)
                .multiply(MILLION)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    /** Returns a decimal number of units, without needless zeros. */
    public static String text(long micros) {
        BigDecimal units = BigDecimal.valueOf(micros).divide(MILLION).stripTrailingZeros();
        return units.scale() < 2
                ? units.setScale(2, RoundingMode.UNNECESSARY).toPlainString()
                : units.toPlainString();
    }
}
