package palyra.api.core.ops;

/**
 * Service properties by which parts of Palyra make themselves known. The launcher reads them
 * without sharing classes with bundles.
 */
public final class Ops {
    /**
     * Service property, a String: where this service listens, as a URI ({@code
     * http://127.0.0.1:7142}, {@code unix:/…}).
     */
    public static final String ENDPOINT_URI = "palyra.endpoint.uri";

    /**
     * Service property, a String: what the endpoint is called in the start-up line, such as {@code
     * http}.
     */
    public static final String ENDPOINT_NAME = "palyra.endpoint.name";

    /**
     * Service property, a String: {@link #ENDPOINT_OPENING} while an endpoint is being opened,
     * {@link #ENDPOINT_FAILED} while it cannot be; neither has a URI. Absent, or anything else,
     * means that it listens.
     */
    public static final String ENDPOINT_STATE = "palyra.endpoint.state";

    /** Value of {@link #ENDPOINT_STATE}: will listen or fail in a moment; a start waits for it. */
    public static final String ENDPOINT_OPENING = "opening";

    /** Value of {@link #ENDPOINT_STATE}: does not listen. */
    public static final String ENDPOINT_FAILED = "failed";

    /** Service property, a String: one sentence, why the endpoint is {@link #ENDPOINT_FAILED}. */
    public static final String ENDPOINT_PROBLEM = "palyra.endpoint.problem";

    /**
     * Service property, the Boolean {@code true} on exactly one service while the gateway accepts
     * messages and has resumed its runs.
     */
    public static final String READY = "palyra.ready";

    /** Framework property: folder of the state, absolute. */
    public static final String STATE_FOLDER = "palyra.state";

    /**
     * Framework property: folder of the agents' workspaces, absolute; never within the state
     * folder, nor the other way round.
     */
    public static final String WORKSPACES_FOLDER = "palyra.workspaces";

    /** Framework property: folder of the installed product, absolute. */
    public static final String HOME_FOLDER = "palyra.home";

    /** Framework property: id of this start of the process, unique over all starts. */
    public static final String BOOT_ID = "palyra.boot.id";

    /**
     * Framework property: {@code true} when started for repair: no connectors, every tool denied.
     */
    public static final String SAFE_MODE = "palyra.safe";

    private Ops() {}
}
