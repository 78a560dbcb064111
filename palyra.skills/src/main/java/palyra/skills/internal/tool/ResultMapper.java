package palyra.skills.internal.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolResult;
import palyra.shared.json.StrictJson;
import palyra.shared.schema.Schema;
import palyra.skills.internal.host.CallOutput;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.run.CallEndings;
import palyra.skills.internal.run.Enforcement;
import palyra.skills.internal.run.RunReport;

/** Maps the report of a call to its tool result: by its ending, then by the output's schema. */
final class ResultMapper {
    /** Mode of a call that no engine took. */
    static final String NOTHING_RAN = "strict tier=a engine=none";

    private static final int MOST_SHOWN = 2_048;

    private ResultMapper() {}

    static ConfinedResult of(SkillTool tool, SkillQuotas quotas, Schema output, RunReport report) {
        if (!CallEndings.ownEnd(report.result().ending())) {
            return result(
                    CallEndings.outcome(report.result().ending()),
                    ToolResult.failed(
                            CallEndings.sentence(
                                    tool.id(), report.result(), quotas, report.effects())),
                    quotas,
                    report);
        }
        ToolResult toolResult = toolResult(tool, output, report);
        return result(
                toolResult.success() ? Outcome.SUCCEEDED : Outcome.FAILED,
                toolResult,
                quotas,
                report);
    }

    private static ConfinedResult result(
            Outcome outcome, ToolResult toolResult, SkillQuotas quotas, RunReport report) {
        return new ConfinedResult(
                outcome,
                toolResult,
                report.engine().id(),
                Enforcement.of(report, quotas),
                report.moduleSha256());
    }

    private static ToolResult toolResult(SkillTool tool, Schema output, RunReport report) {
        if (tool.legacy()) {
            return legacy(tool, report.exitCode());
        }
        if (report.exitCode() != 0) {
            return failed(tool, report);
        }
        if (report.outputRefused()) {
            return ToolResult.failed(
                    "The skill's tool "
                            + tool.id()
                            + " wrote more than "
                            + CallOutput.MOST_BYTES
                            + " bytes; ask it for less.");
        }
        return written(tool, output, report.output());
    }

    private static ToolResult legacy(SkillTool tool, long exitCode) {
        String json = JsonNodeFactory.instance.objectNode().put("exit_code", exitCode).toString();
        return exitCode == 0
                ? ToolResult.of(json)
                : new ToolResult(
                        false,
                        json,
                        "The skill's tool " + tool.id() + " ended with the code " + exitCode + ".");
    }

    private static ToolResult failed(SkillTool tool, RunReport report) {
        String said = new String(report.output(), StandardCharsets.UTF_8).strip();
        String shown = said.length() > MOST_SHOWN ? said.substring(0, MOST_SHOWN) + "…" : said;
        Optional<JsonNode> json = parsed(report.output());
        return new ToolResult(
                false,
                json.isPresent() ? said : "{}",
                "The skill's tool "
                        + tool.id()
                        + " failed with the code "
                        + report.exitCode()
                        + (shown.isEmpty() ? "." : ": " + shown.replaceAll("\\p{Cntrl}", " ")));
    }

    private static Optional<JsonNode> parsed(byte[] output) {
        try {
            return Optional.of(StrictJson.parse(output, "output"));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    private static ToolResult written(SkillTool tool, Schema output, byte[] bytes) {
        String what = "the output of the skill's tool " + tool.id();
        try {
            byte[] text = bytes.length == 0 ? new byte[] {'{', '}'} : bytes;
            JsonNode json = StrictJson.parse(text, what);
            Optional<String> problem = output.problem(json);
            return problem.map(
                            each -> ToolResult.failed(capitalized(each) + "; tell its publisher."))
                    .orElseGet(() -> ToolResult.of(new String(text, StandardCharsets.UTF_8)));
        } catch (PalyraException e) {
            return ToolResult.failed(capitalized(e.getMessage()) + "; tell its publisher.");
        }
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
