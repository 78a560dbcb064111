/** Skills: from the artifact on disk to the tool that an agent calls. */
package palyra.skills.internal;
