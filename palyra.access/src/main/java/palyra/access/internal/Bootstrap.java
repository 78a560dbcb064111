package palyra.access.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.TokenView;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.files.MediumFailure;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The first operator's token, made once in the life of a state folder and left in a file.
 *
 * <p>The file comes first and the journal decides: a crash in between leaves a file whose token is
 * worth nothing, and the next start replaces it. Used by one thread.
 */
final class Bootstrap {
    static final String PRINCIPAL = "user:operator";
    static final String FILE = "bootstrap-token";
    static final String COLLECTION = "access_bootstrap";
    static final String KEY = "operator";

    private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);

    private final Gate<Journal> journal;
    private final TokenStore store;
    private final Recorder recorder;
    private final Path file;
    private final LongSupplier clock;
    private final Ulids ids;
    private TokenStore.Made made; // kept over tries: an answer that was lost may still be a yes

    Bootstrap(
            Gate<Journal> journal,
            TokenStore store,
            Recorder recorder,
            Path stateFolder,
            LongSupplier clock,
            Ulids ids) {
        this.journal = journal;
        this.store = store;
        this.recorder = recorder;
        this.file = stateFolder.resolve(FILE);
        this.clock = clock;
        this.ids = ids;
    }

    /**
     * Makes the token unless that was done before.
     *
     * @throws PalyraException when something that it needs is away: try again
     */
    void run() {
        if (doneBefore()) {
            return;
        }
        if (made == null) {
            made = store.make(view(), "system:bootstrap");
        }
        try {
            StateFiles.replace(file, (made.secret() + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new PalyraException(
                    MediumFailure.of(e, file).code(ErrorCode.READ_ONLY),
                    "The bootstrap token cannot be written: "
                            + MediumFailure.sentence(e, file)
                            + ".",
                    e);
        }
        commit();
        LOG.info("The first operator's token is in {}; move it to a safe place.", file);
    }

    private boolean doneBefore() {
        Optional<Document> marker = journal.call(present -> present.document(COLLECTION, KEY));
        if (marker.isPresent()) {
            made = null;
            return true;
        }
        return made == null && !store.isEmpty();
    }

    private void commit() {
        TokenView view = made.stored().view();
        ObjectNode fact =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("tokenId", view.tokenId())
                        .put("principal", view.principal());
        Unit unit =
                Unit.builder()
                        .require(new Precondition.DocumentAt(COLLECTION, KEY, 0))
                        .add(new Operation.PutDocument(COLLECTION, KEY, Jcs.bytes(fact)))
                        .add(TokenStore.put(made.stored()))
                        .add(
                                new Operation.Append(
                                        TapeRecord.JOURNAL_STREAM, COLLECTION, 1, Jcs.bytes(fact)))
                        .build();
        try {
            recorder.commit(unit);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT || !markedAs(view.tokenId())) {
                throw e;
            }
        }
        made = null;
    }

    private boolean markedAs(String tokenId) {
        return journal.call(present -> present.document(COLLECTION, KEY))
                .map(
                        marker ->
                                StrictJson.parse(marker.content(), "the bootstrap marker")
                                        .path("tokenId")
                                        .asText())
                .filter(tokenId::equals)
                .isPresent();
    }

    private TokenView view() {
        return new TokenView(
                ids.next(),
                "bootstrap",
                PRINCIPAL,
                Set.of(BuiltInRules.OPERATOR),
                Set.of(),
                clock.getAsLong(),
                0,
                0);
    }
}
