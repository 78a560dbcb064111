package palyra.bench.policy;

/** An engine that decides. Used by one thread. */
interface Contestant extends AutoCloseable {
    /** Returns what stands in figures. */
    String name();

    /** Takes policies, entities and requests; what can be prepared is not measured. */
    void prepare(Scenario scenario) throws Exception;

    /** Decides for so long. */
    Round round(long nanos) throws Exception;

    @Override
    void close();
}
