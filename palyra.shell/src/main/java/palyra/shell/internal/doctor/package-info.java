/** What is wrong with the gateway, why, and what to do about it. */
package palyra.shell.internal.doctor;
