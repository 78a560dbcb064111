package palyra.shell.internal.host;

/** A command whose arguments hold no secrets and belong into the record of its permit. */
public interface RecordsArguments {}
