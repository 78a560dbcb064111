package palyra.deploy.internal;

import java.time.Instant;
import java.util.Comparator;

/** Messages about files. */
final class DeployMessages {
    private DeployMessages() {}

    static Row unpinned(DropFile file, JarFacts facts) {
        String digest = Pin.ofFile(facts.sha256()).toString();
        StringBuilder remedy = new StringBuilder(300);
        remedy.append("If you trust it: palyra deploy pin ")
                .append(file.name())
                .append(", or add \"")
                .append(digest)
                .append("\" to pins of palyra.deploy.");
        facts.signers().values().stream()
                .min(Comparator.comparing(Signatures.Signer::sha256))
                .ifPresent(
                        signer ->
                                remedy.append(" If you trust everything that ")
                                        .append(signer.subject())
                                        .append(" signs: \"")
                                        .append(Pin.ofSigner(signer.sha256()))
                                        .append("\"."));
        String signed =
                facts.signatureLack().isEmpty()
                        ? "nor is its signer"
                        : "and " + facts.signatureLack();
        return Row.of(
                file,
                Row.State.REFUSED,
                facts.title() + " is not pinned, " + signed + ".",
                remedy.toString());
    }

    static Row expired(DropFile file, JarFacts facts) {
        return Row.of(
                file,
                Row.State.REFUSED,
                outOfTime(facts),
                "Sign it again, or pin this file: palyra deploy pin " + file.name() + ".");
    }

    /** Says when the certificate of a jar is valid. */
    static String outOfTime(JarFacts facts) {
        String validity =
                facts.signers().values().stream()
                        .map(s -> Instant.ofEpochMilli(s.fromMillis()) + " to " + until(s))
                        .sorted()
                        .findFirst()
                        .orElse("");
        return "The certificate that signed " + facts.title() + " is valid from " + validity + ".";
    }

    private static Instant until(Signatures.Signer signer) {
        return Instant.ofEpochMilli(signer.untilMillis());
    }

    static Row superseded(DropFile file, DropFile winner, JarFacts of) {
        return Row.of(
                file,
                Row.State.SUPERSEDED,
                winner.name() + " holds " + of.title() + " and is deployed instead.",
                "Remove the file that you do not need.");
    }

    static Row lastGood(Row row, DeployedBundle good) {
        String goesOn = good.title() + ", which was deployed before, stays in force.";
        return new Row(
                row.file(),
                row.state(),
                row.facts(),
                row.pin(),
                row.explanation().isEmpty() ? goesOn : row.explanation() + " " + goesOn,
                row.remedy());
    }
}
