/** What one worker needs for its run: the tape, the mailbox, the flags, the end of the run. */
package palyra.gateway.internal.engine.run;
