/** Sessions, runs, chat and the tape. */
package palyra.console.internal.run;
