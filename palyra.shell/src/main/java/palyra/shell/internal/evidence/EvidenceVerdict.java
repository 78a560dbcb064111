package palyra.shell.internal.evidence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.shell.internal.host.Fields;

/** Says whether evidence holds: one verdict about chain, signed head and attestations. */
final class EvidenceVerdict {
    private EvidenceVerdict() {}

    /**
     * Writes the verdict and returns the exit code: OK, DATA when anything is wrong, CANCELLED when
     * it was told to stop first.
     *
     * @param trusted keys that alone may have signed; empty means those that come with it
     */
    static int verdict(CommandContext context, RunEvidence.Read read, List<String> trusted) {
        List<Map<String, Object>> faults = faults(read, trusted);
        boolean complete = read.report().complete();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("verdict", faults.isEmpty() ? complete ? "intact" : "incomplete" : "broken");
        fields.put("run", read.runId());
        fields.put("calls", read.evidence().calls().size());
        fields.put("attested", read.evidence().attested());
        fields.put("records", read.report().records());
        fields.put("withheld", read.report().withheld());
        fields.put("signedBy", read.sealKeyId());
        fields.put("faults", faults);
        context.output().fields(fields);
        if (read.evidence().withheld() > 0) {
            context.output().note("Payloads were erased: calls they belonged to are not verified.");
        }
        if (faults.isEmpty() && complete && read.sealKeyId().isEmpty()) {
            context.output()
                    .note("There is no signed head: nothing shows whether the end was cut off.");
        }
        if (!faults.isEmpty()) {
            context.output().note("palyra: " + sentence(faults));
            return ExitCodes.DATA;
        }
        return complete ? ExitCodes.OK : ExitCodes.CANCELLED;
    }

    private static String sentence(List<Map<String, Object>> faults) {
        Map<String, Object> first = faults.get(0);
        return "The first of "
                + faults.size()
                + " faults: "
                + first.get("detail")
                + " ("
                + first.get("kind")
                + ", record "
                + first.get("seq")
                + ").";
    }

    /** Returns everything that is wrong; a broken chain alone, for nothing after it is known. */
    static List<Map<String, Object>> faults(RunEvidence.Read read, List<String> trusted) {
        List<Map<String, Object>> faults = new ArrayList<>();
        Optional<Fault> chain = read.report().fault();
        chain.ifPresent(
                each ->
                        faults.add(
                                Fields.of(
                                        "kind", each.kind().name(),
                                        "call", "",
                                        "seq", each.seq(),
                                        "detail", each.detail())));
        read.evidence().findings(read.keys()).forEach(each -> faults.add(fault(each)));
        distrusted(read, trusted)
                .ifPresent(
                        why ->
                                faults.add(
                                        Fields.of(
                                                "kind",
                                                "SIGNATURE",
                                                "call",
                                                "",
                                                "seq",
                                                0,
                                                "detail",
                                                why)));
        return faults;
    }

    private static Map<String, Object> fault(AttestationCheck.Finding finding) {
        return Fields.of(
                "kind", finding.kind().name(),
                "call", finding.callId(),
                "seq", finding.seq(),
                "detail", finding.detail());
    }

    private static Optional<String> distrusted(RunEvidence.Read read, List<String> trusted) {
        if (trusted.isEmpty()) {
            return Optional.empty();
        }
        List<String> signers = new ArrayList<>(read.evidence().signers());
        signers.add(0, read.sealKeyId());
        return signers.stream()
                .filter(key -> !trusted.contains(key))
                .findFirst()
                .map(
                        key ->
                                key.isEmpty()
                                        ? "there is no signed head, so no trusted key vouches for"
                                                + " it"
                                        : "it is signed by "
                                                + key
                                                + ", which is not one of the trusted keys");
    }
}
