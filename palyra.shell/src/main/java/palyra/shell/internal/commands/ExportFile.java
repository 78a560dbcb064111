package palyra.shell.internal.commands;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Digests;
import palyra.shared.json.StrictJson;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.TapeHash;

/**
 * Reads and verifies an exported tape, line by line. Nothing in it is believed: whatever has not
 * the form of an export is CORRUPT, named by its line.
 */
final class ExportFile {
    private static final int MAX_LINE_BYTES = 64 << 20;

    private final InputStream in;
    private long lineNumber;
    private JsonNode header;

    ExportFile(InputStream in) {
        this.in = new BufferedInputStream(in, 64 * 1024);
    }

    /**
     * What was found.
     *
     * @param sealKeyId key that signed the head; empty when there is no signed head
     */
    record Result(String streamId, VerificationReport report, String sealKeyId) {}

    /** Verifies to the end of the input. */
    Result verify() throws IOException {
        header = parse(nextLine().orElseThrow(() -> bad("the file is empty")));
        check(
                text(header, "format").equals(TapeExport.FORMAT)
                        && header.path("version").asInt() == TapeExport.VERSION,
                "this is no tape export of version " + TapeExport.VERSION);
        String streamId = text(header, "streamId");
        String sessionId = text(header, "sessionId");
        byte[] genesis = TapeHash.genesis(streamId, sessionId, text(header, "principal"));
        List<PublishedKey> keys = keys();
        Optional<Seal> seal = seal(streamId);
        StreamVerifier verifier = StreamVerifier.from(streamId, genesis);
        if (records(streamId, verifier)) {
            if (seal.isPresent()) {
                verifier.expectSeal(seal.get(), new StreamVerifier.HeadKeys(keys));
            } else if (ended()) {
                verifier.unsealed();
            }
        }
        return new Result(streamId, verifier.report(true), seal.map(Seal::keyId).orElse(""));
    }

    /** Takes all records; returns false at the first fault. */
    private boolean records(String streamId, StreamVerifier verifier) throws IOException {
        while (true) {
            JsonNode line =
                    parse(
                            nextLine()
                                    .orElseThrow(
                                            () -> bad("the last line is missing: it was cut off")));
            if (line.path("end").asBoolean(false)) {
                check(
                        line.path("records").asLong(-1) == verifier.seq(),
                        "the number of records does not agree with the last line");
                check(nextLine().isEmpty(), "something follows the last line");
                return true;
            }
            if (!verifier.accept(record(streamId, line))) {
                return false;
            }
        }
    }

    private TapeRecord record(String streamId, JsonNode line) {
        check(
                line.path("seq").canConvertToLong() && line.path("timeMillis").canConvertToLong(),
                "a record needs seq and timeMillis");
        return new TapeRecord(
                streamId,
                line.path("seq").asLong(),
                text(line, "type"),
                line.path("timeMillis").asLong(),
                line.path("schema").asInt(),
                base64(line, "salt"),
                base64(line, "payload"),
                hex(line, "commitment"),
                hex(line, "prevHash"),
                hex(line, "hash"));
    }

    private boolean ended() {
        String state = text(header, "state");
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
        check(seal.isObject(), "the signed head is no object");
        byte[] signature = base64(seal, "signature");
        check(signature != null, "the signed head has no signature");
        return Optional.of(
                new Seal(
                        streamId,
                        seal.path("seq").asLong(),
                        hex(seal, "hash"),
                        text(seal, "keyId"),
                        signature));
    }

    private List<PublishedKey> keys() {
        List<PublishedKey> keys = new ArrayList<>();
        for (JsonNode key : header.path("keys")) {
            PublishedKey published = key(key);
            check(
                    published.keyId().equals(idOf(published.publicKey())),
                    "the key " + published.keyId() + " has not the id of its public key");
            keys.add(published);
        }
        return keys;
    }

    private PublishedKey key(JsonNode key) {
        String purpose = text(key, "purpose");
        for (KeyPurpose known : KeyPurpose.values()) {
            if (known.name().equals(purpose)) {
                return new PublishedKey(
                        text(key, "keyId"),
                        known,
                        text(key, "publicKey"),
                        key.path("createdAtMillis").asLong(),
                        key.path("retiredAtMillis").asLong(),
                        key.path("successorKeyId").asText(""),
                        key.path("rotationSignature").asText(""));
            }
        }
        throw bad("the purpose " + Words.brief(purpose, 40) + " of a key is not known");
    }

    private String idOf(String publicKey) {
        try {
            byte[] raw = Base64.getUrlDecoder().decode(publicKey);
            return "ed25519:" + Digests.sha256Hex(raw).substring(0, 16);
        } catch (IllegalArgumentException e) {
            throw bad("a public key is not base64url");
        }
    }

    private JsonNode parse(byte[] line) {
        try {
            JsonNode node = StrictJson.parse(line, "the line");
            check(node.isObject(), "it is no JSON object");
            return node;
        } catch (PalyraException e) {
            throw e.code() == ErrorCode.CORRUPT ? e : bad(e.getMessage());
        }
    }

    private Optional<byte[]> nextLine() throws IOException {
        lineNumber++;
        ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return Optional.of(line.toByteArray());
            }
            check(line.size() < MAX_LINE_BYTES, "it is too long");
            line.write(b);
        }
        check(line.size() == 0, "it does not end: the file was cut off");
        return Optional.empty();
    }

    private String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        check(value.isTextual(), name + " is missing");
        return value.textValue();
    }

    private byte[] hex(JsonNode node, String name) {
        String text = text(node, name);
        try {
            check(text.equals(text.toLowerCase(Locale.ROOT)), name + " is not lower-case");
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw bad(name + " is not hex");
        }
    }

    private byte[] base64(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (value.isNull()) {
            return null;
        }
        String text = text(node, name);
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            // Bits that no byte needs could be changed unseen.
            check(Base64.getEncoder().encodeToString(bytes).equals(text), name + " is not exact");
            return bytes;
        } catch (IllegalArgumentException e) {
            throw bad(name + " is not base64");
        }
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw bad(otherwise);
        }
    }

    private PalyraException bad(String what) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "The export is damaged in line " + lineNumber + ": " + what + ".");
    }
}
