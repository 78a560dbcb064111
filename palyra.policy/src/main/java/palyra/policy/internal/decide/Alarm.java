package palyra.policy.internal.decide;

/** Hears of what should never happen. Called on any thread; must be quick and must not throw. */
public interface Alarm {
    /**
     * The two engines differ; from now on the native one decides. Told once until trust is back.
     */
    void enginesDiffer(Difference difference);
}
