package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.Value;

/**
 * A jar that a person sent to swap a bundle by, as the path of its page names it.
 *
 * @param id empty when the path is that of the bundle's own page
 */
record SentJar(String bundle, String id) {
    private static final Pattern PATH = Pattern.compile("(.+)/jar/([0-9A-HJKMNP-TV-Z]{26})");

    static SentJar of(String path) {
        Matcher matcher = PATH.matcher(path);
        return matcher.matches()
                ? new SentJar(matcher.group(1), matcher.group(2))
                : new SentJar(path, "");
    }

    private static boolean trusted(JsonNode facts) {
        return facts.path("trusted").asBoolean(false);
    }

    /** Refuses a jar that is not pinned, whatever page the form is from. */
    void requireTrusted(JsonNode facts) {
        if (!trusted(facts)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The jar is not trusted: neither its digest nor a signer of all of it is"
                            + " pinned. Pin it first; palyra deploy pins lists the pins.");
        }
    }

    /** Returns what the jar is and whether it is trusted. */
    List<Block> trust(JsonNode facts) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                trusted(facts)
                        ? new Block.Notice(
                                Level.GOOD,
                                "The jar is trusted: pinned as "
                                        + facts.path("pin").asText()
                                        + " ("
                                        + facts.path("pinnedBy").asText()
                                        + ").",
                                "")
                        : new Block.Notice(
                                Level.WARNING,
                                "The jar is not trusted: neither its digest nor a signer of all of"
                                        + " it is pinned.",
                                "Compare its digest with the one that its maker names before you"
                                        + " trust it."));
        String signers = Documents.plain(facts.path("signers"));
        blocks.add(
                new Block.Facts(
                        List.of(
                                new Block.Fact("Bundle", Value.text(text(facts, "bundle"))),
                                new Block.Fact("Version", Value.code(text(facts, "version"))),
                                new Block.Fact("Size bytes", Value.text(text(facts, "sizeBytes"))),
                                new Block.Fact("SHA-256", Value.code(text(facts, "sha256"))),
                                new Block.Fact(
                                        "Signed by",
                                        Value.text(
                                                signers.isEmpty()
                                                        ? "not all of it is signed: "
                                                                + text(facts, "unsignedBecause")
                                                        : signers)))));
        return blocks;
    }

    private static String text(JsonNode document, String field) {
        return Documents.plain(document.path(field));
    }

    /** Returns what the swap would do. */
    List<Block> plan(JsonNode plan) {
        List<Block.Row> rows = new ArrayList<>();
        plan.path("restarts").forEach(one -> rows.add(Block.Row.of(Value.text(one.asText()))));
        return List.of(
                new Block.Heading("What would happen"),
                new Block.Paragraph(
                        bundle
                                + " "
                                + text(plan, "fromVersion")
                                + " would be replaced by "
                                + text(plan, "toVersion")
                                + " and watched; when it or something that worked before does not"
                                + " work again, the old content is put back. It lasts until the"
                                + " next start."),
                new Block.Table(
                        List.of("Component that would restart"),
                        rows,
                        "No component would restart."));
    }

    /** Returns the form for what can be done next: trust it, or swap. */
    Block.Form form(JsonNode facts, JsonNode plan) {
        return trusted(facts)
                ? CommandPanel.sensitive(
                        "swap",
                        "Swap now",
                        "bundle.swap",
                        "Replace "
                                + bundle
                                + " "
                                + text(plan, "fromVersion")
                                + " by "
                                + text(plan, "toVersion")
                                + " while everything runs")
                : CommandPanel.sensitive(
                        "pin",
                        "Trust this file",
                        "deploy.pin",
                        "Code in this jar may run with all rights of the gateway");
    }
}
