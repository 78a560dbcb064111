package palyra.skills.internal.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.skills.internal.ledger.LedgerRows;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.TrustService;
import palyra.skills.internal.trust.KeyRotation;
import palyra.skills.internal.trust.TrustRules;

/** {@code skills trust list|allow|pin|unpin|rotate|revoke|unrevoke|mark|unmark|reset}. */
final class TrustCommand {
    private static final List<String> VERBS =
            List.of(
                    "list",
                    "allow",
                    "pin",
                    "unpin",
                    "rotate",
                    "revoke",
                    "unrevoke",
                    "mark",
                    "unmark",
                    "reset");
    private static final String DETAILS =
            """
            list                     trusted and revoked publishers and keys
            allow PUBLISHER KEY      allows a key; then only allowed keys count for the publisher
            pin PUBLISHER KEY        pins a publisher before its first skill comes
            unpin PUBLISHER          takes allowed keys and the pin away
            rotate FILE              applies a rotation that the old key signed
            revoke WHAT --reason R   key:HEX, artifact:SHA256, version:ID or version:ID@x.y.z
            unrevoke WHAT            takes a revocation back
            mark ID [--engine E]     marks a skill as trusted
            unmark ID                takes that back
            reset --reason R         forgets all skills and trust, when the record was tampered with""";

    private final AuthorizedChanges changes;
    private final TrustService trust;
    private final ArtifactFiles files;

    TrustCommand(AuthorizedChanges changes, TrustService trust, ArtifactFiles files) {
        this.changes = changes;
        this.trust = trust;
        this.files = files;
    }

    Command command() {
        return new SkillsCommand(
                Specs.of(
                        "trust",
                        TrustService.ACTION,
                        "Shows and changes whose keys are trusted",
                        DETAILS,
                        List.of(
                                OptionSpec.value("reason", "TEXT", "Why"),
                                OptionSpec.value("engine", "ID", "Engine for a marked skill"),
                                Specs.YES),
                        PositionalSpec.required("VERB", String.join(", ", VERBS)),
                        PositionalSpec.optional("WHAT", "Publisher, file, skill or what to revoke"),
                        PositionalSpec.optional("KEY", "64 digits of hex")),
                this::run,
                prefix -> VERBS.stream().filter(verb -> verb.startsWith(prefix)).toList());
    }

    private int run(CommandContext context) throws Exception {
        String verb = context.arguments().positional(0).orElse("");
        if (verb.equals("list")) {
            return list(context);
        }
        Principal who = context.principal();
        switch (verb) {
            case "allow" -> trust.allow(who, what(context), key(context));
            case "pin" -> trust.pin(who, what(context), key(context));
            case "unpin" -> trust.unpin(who, what(context));
            case "rotate" ->
                    trust.rotate(who, KeyRotation.verify(files.read(context, what(context))));
            case "revoke" -> trust.revoke(who, what(context), reason(context));
            case "unrevoke" -> trust.unrevoke(who, what(context));
            case "mark" -> trust.mark(who, what(context), true, engine(context));
            case "unmark" -> trust.mark(who, what(context), false, "");
            case "reset" -> reset(context);
            default ->
                    throw new PalyraException(
                            ErrorCode.INVALID_ARGUMENT,
                            "'" + verb + "' is not known; it takes " + String.join(", ", VERBS));
        }
        context.output().fields(Map.of("done", verb));
        return ExitCodes.OK;
    }

    private void reset(CommandContext context) throws Exception {
        String reason = reason(context);
        Confirmation.require(context, "Forget all installed skills, keys, pins and revocations?");
        trust.reset(context.principal(), reason);
    }

    private static String what(CommandContext context) {
        return Require.text(
                context.arguments().positional(1).orElse(""), "the publisher, file or skill");
    }

    private static String key(CommandContext context) {
        return Require.text(context.arguments().positional(2).orElse(""), "the key");
    }

    private static String reason(CommandContext context) {
        String reason = Require.text(context.arguments().option("reason").orElse(""), "--reason");
        Require.that(reason.length() <= 500, "--reason takes at most 500 characters");
        return reason;
    }

    private static String engine(CommandContext context) {
        String engine = context.arguments().option("engine").orElse("");
        Require.that(
                engine.matches("[a-z0-9-]{0,50}"), "'" + engine + "' is not the id of an engine");
        return engine;
    }

    private int list(CommandContext context) {
        LedgerRows rows = changes.inventory().rows();
        List<List<String>> table = new ArrayList<>();
        keys("allowed", TrustRules.PUBLISHER, rows, table);
        keys("pinned", TrustRules.PIN, rows, table);
        rows.below(TrustRules.REVOKED)
                .forEach(
                        (what, row) ->
                                table.add(
                                        List.of(
                                                "revoked",
                                                what,
                                                "",
                                                row.path("reason").asText(),
                                                row.path("by").asText())));
        rows.below("mark/")
                .forEach(
                        (skill, row) ->
                                table.add(
                                        List.of(
                                                "marked",
                                                skill,
                                                "",
                                                row.path("engine").asText(),
                                                row.path("by").asText())));
        context.output().table(List.of("Kind", "What", "Key", "Note", "By"), table);
        return ExitCodes.OK;
    }

    private static void keys(String kind, String below, LedgerRows rows, List<List<String>> table) {
        rows.below(below)
                .forEach(
                        (publisher, row) -> {
                            String by = row.path("by").asText();
                            row.path("keys")
                                    .forEach(
                                            key ->
                                                    table.add(
                                                            List.of(
                                                                    kind,
                                                                    publisher,
                                                                    key.asText(),
                                                                    "",
                                                                    by)));
                            row.path("retired")
                                    .forEach(
                                            key ->
                                                    table.add(
                                                            List.of(
                                                                    kind,
                                                                    publisher,
                                                                    key.asText(),
                                                                    "retired",
                                                                    by)));
                        });
    }
}
