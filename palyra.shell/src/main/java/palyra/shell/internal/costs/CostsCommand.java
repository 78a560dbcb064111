package palyra.shell.internal.costs;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Seams;

/** {@code costs}: what models used and cost. */
@Component(service = Command.class)
public final class CostsCommand extends ShellCommand {
    private static final int USUAL_DAYS = 14;
    private static final int USUAL_SECONDS = 60;
    private static final int MICRO_DIGITS = 6;

    private final CostReader reader;

    @Activate
    public CostsCommand(@Reference Seams seams) {
        super(
                spec(
                        "costs",
                        "Shows what models used and cost by day, agent and model",
                        """
                        It adds up the turns that runs of the last days recorded; days are those of
                        UTC. A turn costs nothing when no price fitted its model at the time
                        (docs/budgets.md), and counts no tokens when its provider named none.""",
                        "config.read",
                        List.of(
                                OptionSpec.value("days", "N", "How many days, 1 to 31 (14)"),
                                OptionSpec.value(
                                        "seconds", "N", "Most seconds to read, 1 to 300 (60)")),
                        List.of()));
        reader = new CostReader(seams.journal());
    }

    @Override
    public int run(CommandContext context) {
        int days = context.arguments().number("days", USUAL_DAYS, 1, 31);
        int seconds = context.arguments().number("seconds", USUAL_SECONDS, 1, 300);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        BooleanSupplier stop = () -> context.cancelled() || System.nanoTime() - end >= 0;
        CostReader.Report report = reader.read(days, System.currentTimeMillis(), stop);
        if (context.json()) {
            context.output().fields(document(report, days));
        } else {
            write(context, report);
        }
        return ExitCodes.OK;
    }

    private static Map<String, Object> document(CostReader.Report report, int days) {
        List<Map<String, Object>> rows = new ArrayList<>();
        report.used().forEach((kind, used) -> rows.add(row(kind, used)));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("days", days);
        document.put("fromMillis", millis(report.from()));
        document.put("untilMillis", millis(report.from().plusDays(days - 1L)));
        document.put("runs", report.runs());
        document.put("withheldTurns", report.withheld());
        document.put("unreadableRecords", report.unreadable());
        document.put("left", report.left());
        document.put("rows", rows);
        return document;
    }

    private static long millis(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    private static Map<String, Object> row(Usage.Kind kind, Usage used) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("day", kind.day().toString());
        row.put("dayMillis", millis(kind.day()));
        row.put("agent", kind.agent());
        row.put("model", kind.model());
        row.put("turns", used.turns());
        row.put("inputTokens", used.inputTokens());
        row.put("cachedTokens", used.cachedTokens());
        row.put("outputTokens", used.outputTokens());
        row.put("costMicros", used.costMicros());
        row.put("currency", kind.currency());
        return row;
    }

    private static void write(CommandContext context, CostReader.Report report) {
        List<List<?>> rows = new ArrayList<>();
        report.used()
                .forEach(
                        (kind, used) ->
                                rows.add(
                                        List.of(
                                                kind.day().toString(),
                                                kind.agent(),
                                                kind.model(),
                                                used.turns(),
                                                used.inputTokens(),
                                                used.outputTokens(),
                                                cost(used, kind))));
        context.output()
                .table(List.of("Day", "Agent", "Model", "Turns", "Read", "Written", "Cost"), rows);
        if (rows.isEmpty()) {
            context.output().note("No turn of a model ended since " + report.from() + ".");
        }
        if (!report.left().isEmpty()) {
            context.output().note(report.left());
        }
        if (report.withheld() > 0) {
            context.output().note(withheld(report.withheld()));
        }
        if (report.unreadable() > 0) {
            context.output().note(unreadable(report.unreadable()));
        }
    }

    static String withheld(long turns) {
        return turns + " more turns ended whose records were erased; what they used is not known.";
    }

    static String unreadable(long records) {
        return records
                + " records of turns cannot be read; what is in them is not counted, or not by agent"
                + " and model. palyra tape verify says which tapes are damaged.";
    }

    private static String cost(Usage used, Usage.Kind kind) {
        return kind.currency().isEmpty()
                ? ""
                : BigDecimal.valueOf(used.costMicros(), MICRO_DIGITS)
                                .stripTrailingZeros()
                                .toPlainString()
                        + " "
                        + kind.currency();
    }
}
