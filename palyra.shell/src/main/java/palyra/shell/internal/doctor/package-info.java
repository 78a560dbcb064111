/** Findings about the gateway: problem, cause and remedy. */
package palyra.shell.internal.doctor;
