package palyra.api.core.journal;

import java.util.Optional;
import palyra.api.Require;

/**
 * Why a {@link Operation.ReserveBudget} was refused: a cause of the PalyraException with code
 * RESOURCE_EXHAUSTED. It distinguishes such a refusal from a busy store.
 */
public final class BudgetExceeded extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_DEPTH = 8;

    private final transient BudgetClaim claim;

    /** Creates it for the claim that did not fit; {@code message} is the refusal's sentence. */
    public BudgetExceeded(BudgetClaim claim, String message) {
        super(Require.text(message, "message"));
        this.claim = Require.present(claim, "claim");
    }

    /** Returns the claim that did not fit; null after serialization. */
    public BudgetClaim claim() {
        return claim;
    }

    /** Returns whether this is why {@code thrown} was thrown. */
    public static boolean in(Throwable thrown) {
        return find(thrown).isPresent();
    }

    /** Returns this among the causes of {@code thrown}. */
    public static Optional<BudgetExceeded> find(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof BudgetExceeded found) {
                return Optional.of(found);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }
}
