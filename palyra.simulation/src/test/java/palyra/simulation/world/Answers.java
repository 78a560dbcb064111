package palyra.simulation.world;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;

/**
 * The journal as its callers see it when its answers go astray: it refuses, it does not say whether
 * it did what was asked, or the caller's thread meets an error of the JVM before or after the call.
 */
final class Answers {
    /** What becomes of a call. */
    enum Verdict {
        /** It is answered. */
        WORKS,
        /** It is refused, and nothing happened. */
        REFUSED,
        /** It happened, and the answer is lost. */
        LOST,
        /** Nothing happened, and nobody knows. */
        UNKNOWN,
        /** The thread meets an error first. */
        ERROR,
        /** The thread meets an error afterwards. */
        ERROR_AFTER_SUCCESS
    }

    private Answers() {}

    /** Returns the journal, to be asked through what {@code fate} draws for each call. */
    static Journal of(Journal real, Supplier<Verdict> fate) {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (self, method, arguments) -> {
                            boolean writes =
                                    method.getName().equals("commit")
                                            || method.getName().equals("submit");
                            Verdict verdict =
                                    method.getDeclaringClass() == Object.class
                                            ? Verdict.WORKS
                                            : fate.get();
                            PalyraException refusal = before(verdict, writes);
                            if (refusal != null) {
                                return refused(method.getReturnType(), refusal);
                            }
                            Object result;
                            try {
                                result = method.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                            return after(verdict, writes, result);
                        });
    }

    private static PalyraException before(Verdict verdict, boolean writes) {
        return switch (verdict) {
            case REFUSED ->
                    new PalyraException(
                            ErrorCode.JOURNAL_UNAVAILABLE, "simulated: nothing happened");
            case UNKNOWN -> writes ? unknown() : null;
            case ERROR -> throw new OutOfMemoryError("simulated");
            default -> null;
        };
    }

    private static Object after(Verdict verdict, boolean writes, Object result) {
        if (verdict == Verdict.ERROR_AFTER_SUCCESS) {
            throw new OutOfMemoryError("simulated");
        }
        if (verdict != Verdict.LOST || !writes) {
            return result;
        }
        if (result instanceof CompletionStage<?> stage) {
            return stage.thenCompose(done -> CompletableFuture.failedStage(unknown()));
        }
        throw unknown();
    }

    private static Object refused(Class<?> type, PalyraException refusal) {
        if (type == CompletionStage.class) {
            return CompletableFuture.failedStage(refusal);
        }
        throw refusal;
    }

    private static PalyraException unknown() {
        return new PalyraException(
                ErrorCode.OUTCOME_UNKNOWN, "simulated: it may have happened; ask again");
    }
}
