package palyra.shell.internal.commands;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Digests;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.TapeHash;

/**
 * Reads and verifies an exported tape, line by line. No content is trusted: a record that has not
 * the form of an export is CORRUPT, named by its line.
 */
public final class ExportFile {
    private final ExportLines lines;
    private final Consumer<TapeRecord> sink;
    private JsonNode header;

    /** Reads what {@code in} holds; does not close it. */
    public ExportFile(InputStream in) {
        this(in, record -> {});
    }

    /**
     * Reads what {@code in} holds; does not close it.
     *
     * @param sink gets each record that was found to be in its place, in order
     */
    public ExportFile(InputStream in, Consumer<TapeRecord> sink) {
        this.lines = new ExportLines(in);
        this.sink = sink;
    }

    /**
     * What was found.
     *
     * @param state state of the run when it was exported, as the export says
     * @param sealKeyId key that signed the head; empty when there is no signed head
     * @param keys the keys that the export brings along; each has the id that it claims
     */
    public record Result(
            String streamId,
            String state,
            VerificationReport report,
            String sealKeyId,
            List<PublishedKey> keys) {
        /** Copies. */
        public Result {
            keys = List.copyOf(keys);
        }
    }

    /** Verifies to the end of the input. */
    public Result verify() throws IOException {
        header = lines.first();
        ExportFormat format = format();
        String streamId = lines.text(header, "streamId");
        String sessionId = lines.text(header, "sessionId");
        byte[] genesis = TapeHash.genesis(streamId, sessionId, lines.text(header, "principal"));
        List<PublishedKey> keys = keys();
        Optional<Seal> seal = seal(streamId);
        StreamVerifier verifier = StreamVerifier.from(streamId, genesis);
        if (records(streamId, verifier, format)) {
            if (seal.isPresent()) {
                verifier.expectSeal(seal.get(), new StreamVerifier.HeadKeys(keys));
            } else if (ended()) {
                verifier.unsealed();
            }
        }
        return new Result(
                streamId,
                lines.text(header, "state"),
                verifier.report(true),
                seal.map(Seal::keyId).orElse(""),
                keys);
    }

    private ExportFormat format() {
        String name = lines.text(header, "format");
        for (ExportFormat known : ExportFormat.values()) {
            if (known.word().equals(name)
                    && header.path("version").asInt() == ExportFormat.VERSION) {
                return known;
            }
        }
        throw lines.bad("this is no tape export of version " + ExportFormat.VERSION);
    }

    /** Takes all records; returns false at the first fault. */
    private boolean records(String streamId, StreamVerifier verifier, ExportFormat format)
            throws IOException {
        while (true) {
            JsonNode line = lines.next("the last line is missing: it was cut off");
            if (line.path("end").asBoolean(false)) {
                end(line, verifier.seq(), format);
                return true;
            }
            TapeRecord record = record(streamId, line);
            if (!verifier.accept(record)) {
                return false;
            }
            sink.accept(record);
        }
    }

    private void end(JsonNode line, long records, ExportFormat format) throws IOException {
        lines.check(
                line.path("records").asLong(-1) == records,
                "the number of records does not agree with the last line");
        if (format.digested()) {
            lines.check(
                    lines.text(line, "sha256").equals(lines.digestBefore()),
                    "the file does not agree with the digest in its last line");
        }
        lines.end();
    }

    private TapeRecord record(String streamId, JsonNode line) {
        lines.check(
                line.path("seq").canConvertToLong() && line.path("timeMillis").canConvertToLong(),
                "a record needs seq and timeMillis");
        return new TapeRecord(
                streamId,
                line.path("seq").asLong(),
                lines.text(line, "type"),
                line.path("timeMillis").asLong(),
                line.path("schema").asInt(),
                lines.base64(line, "salt"),
                lines.base64(line, "payload"),
                lines.hex(line, "commitment"),
                lines.hex(line, "prevHash"),
                lines.hex(line, "hash"));
    }

    private boolean ended() {
        String state = lines.text(header, "state");
        for (RunState known : RunState.values()) {
            if (known.name().equals(state)) {
                return known.terminal();
            }
        }
        return !state.isEmpty();
    }

    private Optional<Seal> seal(String streamId) {
        JsonNode seal = header.path("seal");
        if (seal.isNull() || seal.isMissingNode()) {
            return Optional.empty();
        }
        lines.check(seal.isObject(), "the signed head is no object");
        byte[] signature = lines.base64(seal, "signature");
        lines.check(signature != null, "the signed head has no signature");
        return Optional.of(
                new Seal(
                        streamId,
                        seal.path("seq").asLong(),
                        lines.hex(seal, "hash"),
                        lines.text(seal, "keyId"),
                        signature));
    }

    private List<PublishedKey> keys() {
        List<PublishedKey> keys = new ArrayList<>();
        for (JsonNode key : header.path("keys")) {
            PublishedKey published = key(key);
            lines.check(
                    published.keyId().equals(idOf(published.publicKey())),
                    "the key " + published.keyId() + " has not the id of its public key");
            keys.add(published);
        }
        return keys;
    }

    private PublishedKey key(JsonNode key) {
        String purpose = lines.text(key, "purpose");
        for (KeyPurpose known : KeyPurpose.values()) {
            if (known.name().equals(purpose)) {
                return new PublishedKey(
                        lines.text(key, "keyId"),
                        known,
                        lines.text(key, "publicKey"),
                        key.path("createdAtMillis").asLong(),
                        key.path("retiredAtMillis").asLong(),
                        key.path("successorKeyId").asText(""),
                        key.path("rotationSignature").asText(""));
            }
        }
        throw lines.bad("the purpose " + Words.brief(purpose, 40) + " of a key is not known");
    }

    private String idOf(String publicKey) {
        try {
            byte[] raw = Base64.getUrlDecoder().decode(publicKey);
            return "ed25519:" + Digests.sha256Hex(raw).substring(0, 16);
        } catch (IllegalArgumentException e) {
            throw lines.bad("a public key is not base64url");
        }
    }
}
