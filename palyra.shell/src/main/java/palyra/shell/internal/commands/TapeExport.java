package palyra.shell.internal.commands;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Seal;
import palyra.api.core.keys.PublishedKey;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Digests;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** Writes a tape as JSON lines: header, records, last line. See {@link ExportFile} for reading. */
public final class TapeExport {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final int PAGE = 200;

    private final Seams seams;
    private final TapeStream stream;
    private final List<PublishedKey> keys;
    private final ExportFormat format;

    /** Exports a tape that the caller may export, with the keys to verify it by. */
    public TapeExport(
            Seams seams, TapeStream stream, List<PublishedKey> keys, ExportFormat format) {
        this.seams = seams;
        this.stream = stream;
        this.keys = keys;
        this.format = format;
    }

    /** Writes everything up to the head as it was at the beginning; returns how many records. */
    public long write(OutputStream to, BooleanSupplier cancelled) throws IOException {
        MessageDigest digest = sha256();
        OutputStream out = new DigestOutputStream(new BufferedOutputStream(to, 64 * 1024), digest);
        long head =
                stream.run().isPresent()
                        ? stream.run().get().headSeq()
                        : seams.journal().call(journal -> journal.headSeq(stream.streamId()));
        line(out, header());
        long after = 0;
        while (after < head && !cancelled.getAsBoolean()) {
            long position = after;
            int limit = (int) Math.min(PAGE, head - after);
            List<TapeRecord> page =
                    seams.journal()
                            .call(journal -> journal.tape(stream.streamId(), position, limit));
            if (page.isEmpty()) {
                break;
            }
            for (TapeRecord record : page) {
                line(out, record(record));
            }
            after = page.get(page.size() - 1).seq();
        }
        Map<String, Object> last = Fields.of("end", true, "records", after);
        if (format.digested()) {
            last.put("sha256", Digests.hex(digest.digest()));
        }
        line(out, last);
        out.flush();
        return after;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void line(OutputStream out, Map<String, Object> value) throws IOException {
        out.write(MAPPER.writeValueAsBytes(value));
        out.write('\n');
    }

    private Map<String, Object> header() {
        Optional<RunRow> run = stream.run();
        return Fields.of(
                "format", format.word(),
                "version", ExportFormat.VERSION,
                "streamId", stream.streamId(),
                "sessionId", run.map(RunRow::sessionId).orElse(""),
                "principal", run.map(RunRow::principal).orElse(""),
                "agentId", run.map(RunRow::agentId).orElse(""),
                "state", run.map(row -> row.state().name()).orElse(""),
                "createdAtMillis", run.map(RunRow::createdAtMillis).orElse(0L),
                "seal", run.flatMap(RunRow::seal).map(TapeExport::seal).orElse(null),
                "keys", keys);
    }

    private static Map<String, Object> seal(Seal seal) {
        return Fields.of(
                "seq", seal.seq(),
                "hash", Digests.hex(seal.hash()),
                "keyId", seal.keyId(),
                "signature", base64(seal.signature()));
    }

    private static Map<String, Object> record(TapeRecord record) {
        return Fields.of(
                "seq", record.seq(),
                "type", record.type(),
                "timeMillis", record.timeMillis(),
                "schema", record.schema(),
                "salt", base64(record.salt()),
                "payload", base64(record.payload()),
                "commitment", Digests.hex(record.commitment()),
                "prevHash", Digests.hex(record.prevHash()),
                "hash", Digests.hex(record.hash()));
    }

    private static String base64(byte[] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }
}
