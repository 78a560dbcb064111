package palyra.gateway.internal.settings;

import java.math.BigInteger;
import palyra.api.Require;

/**
 * The price of a provider's models.
 *
 * @param provider id of the provider
 * @param model name of the model; a star matches any text
 * @param inputPerMillion millionths of money for a million tokens read
 * @param cachedInputPerMillion the same for tokens that the provider had cached
 * @param outputPerMillion the same for tokens written
 */
public record Price(
        String name,
        String provider,
        String model,
        long inputPerMillion,
        long cachedInputPerMillion,
        long outputPerMillion)
        implements Setting {
    private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

    /** Checks. */
    public Price {
        Require.text(name, "name of a price");
        Require.text(provider, "provider of price '" + name + "'");
        Require.text(model, "model of price '" + name + "'");
        Require.that(
                inputPerMillion >= 0 && cachedInputPerMillion >= 0 && outputPerMillion >= 0,
                "price '" + name + "' is below 0");
    }

    /** Returns whether it is the price of a model. */
    public boolean fits(ModelTarget target) {
        return provider.equals(target.provider()) && Glob.fits(model, target.model());
    }

    /**
     * Returns what a turn costs, in millionths of money, rounded up; the largest number when it is
     * beyond it.
     *
     * @param inputTokens tokens read, cached ones included
     */
    public long cost(long inputTokens, long cachedInputTokens, long outputTokens) {
        long cached = Math.min(inputTokens, cachedInputTokens);
        BigInteger sum =
                product(inputTokens - cached, inputPerMillion)
                        .add(product(cached, cachedInputPerMillion))
                        .add(product(outputTokens, outputPerMillion));
        BigInteger cost = sum.add(MILLION.subtract(BigInteger.ONE)).divide(MILLION);
        return cost.bitLength() < Long.SIZE ? cost.longValue() : Long.MAX_VALUE;
    }

    private static BigInteger product(long tokens, long perMillion) {
        return BigInteger.valueOf(tokens).multiply(BigInteger.valueOf(perMillion));
    }
}
