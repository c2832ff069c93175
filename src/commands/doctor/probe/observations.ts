// What the script of a probe writes down: whether a request was done, how a value came back, how many there are. Nothing of it is
// an address, an id or a host, so no statement can tell one.

/** What a request was answered with: it was done, or refused with that status. */
export type Answer = 'done' | number;

/** How a value that was sent comes back. */
export type Shown = 'as-sent' | 'otherwise' | 'absent';

/** Undefined is what could not be found out, because a request before it was refused. */
export interface Observations {
  // The first schedule, to a webhook.
  created?: Answer;
  pausedAtOnce?: Answer;
  isTwinAnother?: boolean;
  isListed?: boolean;
  listedDashboard?: Shown;
  listedCron?: Shown;
  listedFields?: Shown;
  isListedAsPaused?: boolean;
  hasRun?: boolean;
  pausedAgain?: Answer;
  resumed?: Answer;
  resumedAgain?: Answer;
  /** How far its time of creation is from the clock of the answers, in seconds. */
  createdOff?: number;
  isOwnerAlike?: boolean;
  format?: Shown;
  url?: Shown;
  rowLimit?: Shown;
  ownFilter?: Shown;
  /** A filter that it does not set. */
  followedFilter?: Shown;
  // The same after a PUT without some of it.
  replaced?: Answer;
  zoneAfterPut?: Shown;
  isPausedAfterPut?: boolean;
  rowLimitAfterPut?: Shown;
  ownFilterAfterPut?: Shown;
  // What is refused.
  unknownFilter?: Answer;
  unknownTile?: Answer;
  halfCondition?: Answer;
  fitPage?: Answer;
  // SFTP.
  bareHost?: Answer;
  urlAddress?: Answer;
  server?: Shown;
  isPasswordShown?: boolean;
  // An e-mail to one member.
  mailed?: Answer;
  receiver?: Shown;
  isReceiverMember?: boolean;
  recipientCount?: number;
  // The same with a user group.
  deadGroup?: Answer;
  addedAgain?: Answer;
  groupTimes?: number;
  /** Those of its members who are not the member of the e-mail. */
  groupOthers?: number;
  recipientCountWithGroup?: number;
  groupTimesAfterPut?: number;
  lastAddress?: Answer;
  // After a DELETE.
  read?: Answer;
  deletedAgain?: Answer;
  isStillListed?: boolean;
}
