package palyra.shell.internal.host;

/**
 * A command that requires permission for each resource it uses, with the owner. Before it runs, the
 * shell only checks the action on the caller's own resources.
 */
public interface AuthorizesEachResource {}
