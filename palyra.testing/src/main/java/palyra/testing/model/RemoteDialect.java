package palyra.testing.model;

import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.vault.Vault;
import palyra.api.model.ModelProvider;

/**
 * What the contract suites need to know about a kind of server: how a provider for it is made, and
 * what such a server writes. Every text is a part of a stream of events, as it goes over the wire.
 */
public interface RemoteDialect {
    /**
     * How a provider is set up.
     *
     * @param url address of the server, without a slash at the end
     * @param keyRef reference to its key; empty for none
     * @param firstTokenMillis longest time to the first token
     * @param betweenMillis longest silence after that
     * @param breakerFailures failures that open the circuit
     * @param breakerOpenMillis how long it is open
     * @param egress way out; null for none
     * @param access access control that decides about keys; null for none
     * @param vault vault; null for none
     */
    record Setup(
            String url,
            String keyRef,
            int firstTokenMillis,
            int betweenMillis,
            int breakerFailures,
            int breakerOpenMillis,
            EgressClient egress,
            Access access,
            Vault vault) {}

    /** Returns a provider ready for use. */
    ModelProvider open(Setup setup);

    /** Does what its deactivation does. */
    void close(ModelProvider provider);

    /** Returns what comes before the first token. */
    String opening();

    /** Returns a piece of the answer, which must be sound within JSON. */
    String text(String piece);

    /** Returns a piece of thoughts. */
    String thought(String piece);

    /** Returns the beginning of a call. */
    String call(int index, String id, String name);

    /** Returns a piece of a call's input, given as it is written within a JSON string. */
    String input(int index, String escaped);

    /**
     * Returns the end of the answer, with 7 tokens read, 2 of them cached, and 3 written.
     *
     * @param calls whether it ends for calls
     */
    String ending(boolean calls);

    /** Returns what closes the stream after that. */
    String closing();

    /** Returns an answer that is no stream, with that text. */
    String whole(String text);

    /** Returns an error within the stream that says the server has too much to do. */
    String overloaded();

    /** Returns the body of an answer that failed. */
    String error(String type, String code, String message);

    /** Returns the code and message that mean that the conversation is too long, and its status. */
    String tooLong();

    /** Returns what a stream says instead of its ending when the server refuses to go on. */
    String blocked();

    /** Returns the name of the header that carries the key, in lower case. */
    String keyHeader();
}
