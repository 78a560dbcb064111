package palyra.shell.internal.host;

/**
 * An input whose reader may wait in {@code read}: an interrupt ends the wait, and the end of the
 * input is told. Others are looked at from time to time, lest a wait outlive its command and take
 * what is meant for the next one.
 */
public interface InterruptibleInput {}
