package palyra.access.internal;

import static palyra.access.internal.Actions.Reach.GENERAL;
import static palyra.access.internal.Actions.Reach.OWN;
import static palyra.access.internal.Actions.Reach.OWN_OR_NEW;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Every action that exists. An action that is not listed is denied to every caller. */
final class Actions {
    /** The resources that a principal who is not an operator may touch. */
    enum Reach {
        /** The resource has no owner. */
        GENERAL,
        /** Only what belongs to the principal. */
        OWN,
        /** What belongs to the principal, or does not exist yet. */
        OWN_OR_NEW
    }

    /** Actions of commands that other bundles contribute: for operators. */
    static final String EXTENSION_PREFIX = "extension.";

    private static final Map<String, Reach> TABLE =
            Map.ofEntries(
                    Map.entry("run.start", OWN_OR_NEW),
                    Map.entry("run.cancel", OWN),
                    Map.entry("run.retry", OWN),
                    Map.entry("run.erase", GENERAL),
                    Map.entry("run.read", OWN),
                    Map.entry("run.list", OWN),
                    Map.entry("event.append", OWN),
                    Map.entry("session.read", OWN),
                    Map.entry("session.list", OWN),
                    Map.entry("session.archive", OWN),
                    Map.entry("session.resolve", OWN_OR_NEW),
                    Map.entry("approval.read", OWN),
                    Map.entry("approval.list", OWN),
                    Map.entry("approval.decide", OWN),
                    Map.entry("approval.revoke", OWN),
                    Map.entry("tool.allow_sensitive", GENERAL),
                    Map.entry("openai.chat", GENERAL),
                    Map.entry("agent.read", GENERAL),
                    Map.entry("agent.create", GENERAL),
                    Map.entry("agent.update", GENERAL),
                    Map.entry("agent.delete", GENERAL),
                    Map.entry("agent.set_default", GENERAL),
                    Map.entry("agent.bind", GENERAL),
                    Map.entry("agent.unbind", GENERAL),
                    Map.entry("access.token.create", GENERAL),
                    Map.entry("access.token.revoke", GENERAL),
                    Map.entry("access.token.list", GENERAL),
                    Map.entry("access.account.invite", GENERAL),
                    Map.entry("access.account.update", GENERAL),
                    Map.entry("access.account.remove", GENERAL),
                    Map.entry("access.account.list", GENERAL),
                    Map.entry("access.account.read", OWN),
                    Map.entry("access.factor.change", OWN),
                    Map.entry("access.session.begin", OWN),
                    Map.entry("access.session.prove", OWN),
                    Map.entry("access.session.list", OWN),
                    Map.entry("access.session.end", OWN),
                    Map.entry("access.speak_for", GENERAL),
                    Map.entry("access.key.rotate", GENERAL),
                    Map.entry("access.key.read", GENERAL),
                    Map.entry("tape.read", OWN),
                    Map.entry("tape.verify", OWN),
                    Map.entry("tape.export", OWN),
                    Map.entry("system.status", GENERAL),
                    Map.entry("system.doctor", GENERAL),
                    Map.entry("system.logs", GENERAL),
                    Map.entry("system.stop", GENERAL),
                    Map.entry("system.webconsole", GENERAL),
                    Map.entry("backup.create", GENERAL),
                    Map.entry("state.accept", GENERAL),
                    Map.entry("channel.read", GENERAL),
                    Map.entry("channel.manage", GENERAL),
                    Map.entry("channel.pair", GENERAL),
                    Map.entry("retention.read", GENERAL),
                    Map.entry("retention.run", GENERAL),
                    Map.entry("bundle.list", GENERAL),
                    Map.entry("bundle.headers", GENERAL),
                    Map.entry("bundle.inspect", GENERAL),
                    Map.entry("bundle.which", GENERAL),
                    Map.entry("bundle.install", GENERAL),
                    Map.entry("bundle.uninstall", GENERAL),
                    Map.entry("bundle.refresh", GENERAL),
                    Map.entry("bundle.resolve", GENERAL),
                    Map.entry("bundle.level", GENERAL),
                    Map.entry("bundle.start", GENERAL),
                    Map.entry("bundle.stop", GENERAL),
                    Map.entry("bundle.update", GENERAL),
                    Map.entry("bundle.swap", GENERAL),
                    Map.entry("component.list", GENERAL),
                    Map.entry("component.info", GENERAL),
                    Map.entry("component.config", GENERAL),
                    Map.entry("component.enable", GENERAL),
                    Map.entry("component.disable", GENERAL),
                    Map.entry("policy.read", GENERAL),
                    Map.entry("policy.explain", GENERAL),
                    Map.entry("policy.plan", GENERAL),
                    Map.entry("policy.apply", GENERAL),
                    Map.entry("policy.validate", GENERAL),
                    Map.entry("policy.reload", GENERAL),
                    Map.entry("policy.rollback", GENERAL),
                    Map.entry("sandbox.read", GENERAL),
                    Map.entry("sandbox.run", GENERAL),
                    Map.entry("sandbox.canary", GENERAL),
                    Map.entry("config.read", GENERAL),
                    Map.entry("config.reload", GENERAL),
                    Map.entry("deploy.read", GENERAL),
                    Map.entry("deploy.pin", GENERAL),
                    Map.entry("deploy.unpin", GENERAL),
                    Map.entry("vault.list", OWN),
                    Map.entry("vault.get", OWN),
                    Map.entry("vault.put", OWN),
                    Map.entry("vault.delete", OWN),
                    Map.entry("vault.reveal", GENERAL),
                    Map.entry("vault.rotate", GENERAL),
                    Map.entry("command.help", GENERAL),
                    Map.entry("metrics.read", GENERAL),
                    Map.entry("extension.command", GENERAL));

    private Actions() {}

    static boolean known(String action) {
        return TABLE.containsKey(action) || action.startsWith(EXTENSION_PREFIX);
    }

    /**
     * Returns whether an action makes room on a full medium: its record may use what is reserved.
     */
    static boolean makesRoom(String action) {
        return action.equals("retention.run");
    }

    /** Returns the reach of a known action. */
    static Reach reach(String action) {
        return TABLE.getOrDefault(action, GENERAL);
    }

    static Set<String> named() {
        return TABLE.keySet();
    }

    /** Returns the table in its order, for the digest of the rules. */
    static Map<String, Reach> table() {
        return new TreeMap<>(TABLE);
    }
}
