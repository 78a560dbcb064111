package palyra.shared.channel;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.shared.json.StrictJson;

/** How far connectors are in their platforms' streams of events, as the journal keeps it. Pure. */
public final class Positions {
    private static final String COLLECTION = "channel_position";
    private static final int LONGEST = 16_384;

    private Positions() {}

    /** Returns a position that can be kept. INVALID_ARGUMENT when it is too long. */
    public static byte[] usable(byte[] position) {
        Require.present(position, "position");
        Require.that(
                position.length <= LONGEST,
                "a position has " + position.length + " bytes; at most " + LONGEST + " are kept");
        return position;
    }

    /** Returns what keeps the position of a connector. INVALID_ARGUMENT when it is too long. */
    public static Operation keep(String connector, byte[] position) {
        String json = "\"" + Base64.getEncoder().encodeToString(usable(position)) + "\"";
        return new Operation.PutDocument(
                COLLECTION, connector, json.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the position of a connector; empty when none was kept. */
    public static Optional<byte[]> kept(Journal journal, String connector) {
        return journal.document(COLLECTION, connector)
                .map(
                        document ->
                                StrictJson.parse(document.content(), "the position of a connector")
                                        .asText())
                .map(Base64.getDecoder()::decode);
    }
}
