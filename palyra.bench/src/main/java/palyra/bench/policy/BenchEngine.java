package palyra.bench.policy;

/** A policy engine under measurement. Used by one thread. */
interface BenchEngine {
    /** Returns the name for messages. */
    String name();

    /** Loads policies, entities and requests; not measured. */
    void prepare(Scenario scenario);

    /** Decides the requests in turn for some time. */
    Round round(long nanos);
}
