/** From a call to an engine and back. */
package palyra.skills.internal.run;
