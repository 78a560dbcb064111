package palyra.shell.internal.commands;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.tape.TapeRecord;
import palyra.shared.hash.Digests;
import palyra.shared.json.StrictJson;
import palyra.shared.tape.TapeCodec;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code tape show RUN}: the records of a tape. */
@Component(service = Command.class)
public final class TapeShowCommand extends ShellCommand implements AuthorizesEachResource {
    private static final int PAGE = 500;

    private final Seams seams;

    @Activate
    public TapeShowCommand(@Reference Seams seams) {
        super(
                spec(
                        "tape show",
                        "Shows the records of a tape.",
                        "With --json each record is one object on a line, with its whole content.",
                        "tape.read",
                        List.of(
                                OptionSpec.value("from", "SEQ", "First record (1)"),
                                OptionSpec.value("to", "SEQ", "Last record (the newest)")),
                        List.of(TapeStream.RUN_OR_JOURNAL)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        int from = context.arguments().number("from", 1, 1, Integer.MAX_VALUE);
        int to = context.arguments().number("to", Integer.MAX_VALUE, from, Integer.MAX_VALUE);
        TapeStream stream =
                TapeStream.permitted(
                        seams, context, context.arguments().positionals().get(0), "tape.read");
        long after = from - 1L;
        while (after < to && !context.cancelled()) {
            long position = after;
            int limit = (int) Math.min(PAGE, to - after);
            List<TapeRecord> page =
                    seams.journal()
                            .call(journal -> journal.tape(stream.streamId(), position, limit));
            if (page.isEmpty()) {
                break;
            }
            write(context, page);
            after = page.get(page.size() - 1).seq();
        }
        return ExitCodes.OK;
    }

    private static void write(CommandContext context, List<TapeRecord> page) {
        if (context.json()) {
            page.forEach(record -> context.output().fields(fields(record)));
            return;
        }
        List<List<?>> rows = new ArrayList<>();
        for (TapeRecord record : page) {
            rows.add(
                    List.of(
                            record.seq(),
                            Words.time(record.timeMillis()),
                            record.type(),
                            summary(record)));
        }
        context.output().table(List.of("Seq", "Time", "Type", "Content"), rows);
    }

    /** Returns a record for people, in one line. */
    static String summary(TapeRecord record) {
        if (record.payload() == null) {
            return "(erased)";
        }
        if (TapeRecord.isJournal(record.streamId())) {
            return Words.brief(new String(record.payload(), StandardCharsets.UTF_8), 300);
        }
        try {
            return TapeLine.of(TapeCodec.event(record));
        } catch (PalyraException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    /** Returns a record for programs. */
    static Map<String, Object> fields(TapeRecord record) {
        return Fields.of(
                "stream", record.streamId(),
                "seq", record.seq(),
                "timeMillis", record.timeMillis(),
                "type", record.type(),
                "schema", record.schema(),
                "hash", Digests.hex(record.hash()),
                "prevHash", Digests.hex(record.prevHash()),
                "erased", record.payload() == null,
                "content", content(record));
    }

    private static JsonNode content(TapeRecord record) {
        try {
            return record.payload() == null
                    ? null
                    : StrictJson.parse(record.payload(), "the payload");
        } catch (PalyraException e) {
            return null;
        }
    }
}
