package palyra.policy.internal.set;

import palyra.policy.internal.decide.EngineDivergence;

/** Which of the two engines decides. Thread-safe. */
public interface EngineSelector {
    /** Lets the compiled engine decide again. */
    void restore();

    /** Lets the native engine decide, because of a difference found before the last start. */
    void withdraw(EngineDivergence difference);

    /** Returns whether the native engine decides because the two differed. */
    boolean lost();
}
