package palyra.gateway.internal.approval;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.shared.sealed.ApprovalRequestRedaction;

/** A call as people see it, with placeholders for its secrets. Pure except for the notes. */
public final class PublicCall {
    private PublicCall() {}

    /** Returns the call without secrets; its binding stays that of the call as it is. */
    public static CallForApproval of(CallForApproval call, ApprovalRequestRedaction secrets) {
        return new CallForApproval(
                call.tool(),
                secrets.json(call.inputJson()),
                call.capabilities(),
                call.readOnly(),
                facts(call.facts(), secrets),
                description(call.description(), secrets),
                call.confinement(),
                call.bindingSha256());
    }

    private static CallFacts facts(CallFacts facts, ApprovalRequestRedaction secrets) {
        return new CallFacts(
                secrets.text(facts.executable()),
                facts.executableSha256(),
                secrets.text(facts.workingFolder()),
                secrets.text(facts.subcommand()),
                set(facts.flags(), secrets),
                facts.argumentCount(),
                set(facts.hosts(), secrets),
                facts.ports(),
                facts.methods(),
                set(facts.readPaths(), secrets),
                set(facts.writePaths(), secrets),
                facts.secrets(),
                facts.workspace());
    }

    private static CallDescription description(
            CallDescription original, ApprovalRequestRedaction secrets) {
        return new CallDescription(
                secrets.text(original.summary()),
                words(original.argv(), secrets),
                original.onceOnly(),
                original.pattern().map(pattern -> pattern(pattern, secrets)),
                words(original.workspaceNotes(), secrets));
    }

    private static List<String> words(List<String> argv, ApprovalRequestRedaction secrets) {
        return argv.stream().map(secrets::text).toList();
    }

    private static CallPattern pattern(CallPattern pattern, ApprovalRequestRedaction secrets) {
        return new CallPattern(
                secrets.text(pattern.sentence()),
                secrets.json(pattern.fixed()),
                set(pattern.options(), secrets),
                set(pattern.hosts(), secrets));
    }

    private static Set<String> set(Collection<String> texts, ApprovalRequestRedaction secrets) {
        Set<String> redacted = new TreeSet<>();
        texts.forEach(text -> redacted.add(secrets.text(text)));
        return redacted;
    }
}
