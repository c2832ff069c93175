// What the script of a probe writes down: whether a request was done, how a value came back, how many there are. Nothing of it is
// an address, an id or a host, so no statement can tell one.

/** What a request was answered with: it was done, or refused with that status. */
export type Reply = 'done' | number;

/** How a value that was sent comes back. */
export type CameBack = 'as-sent' | 'otherwise' | 'absent';

/** Undefined is what could not be found out, because a request before it was refused. */
export interface Observations {
  // One tile, as it was downloaded.
  /** Whether the dashboard has a filter of texts, a second one on its field, and a tile. */
  hasFilter?: boolean;
  hasSecondFilter?: boolean;
  hasTile?: boolean;
  isDownloadRefused?: boolean;
  hasRows?: boolean;
  /** With the value that nobody has, in the form that Almanac sends. */
  hasRowsOfNobody?: boolean;
  /** The same with nothing but the value. */
  hasRowsOfShort?: boolean;
  isPictureSame?: boolean;
  isValueKnown?: boolean;
  /** With a value that rows have; then with the value that nobody has for the second filter as well. */
  hasRowsOfFirst?: boolean;
  hasRowsOfBoth?: boolean;
  // The first schedule, to a webhook.
  created?: Reply;
  pausedAtOnce?: Reply;
  isTwinAnother?: boolean;
  isListed?: boolean;
  listedDashboard?: CameBack;
  listedCron?: CameBack;
  listedFields?: CameBack;
  isListedAsPaused?: boolean;
  hasRun?: boolean;
  pausedAgain?: Reply;
  resumed?: Reply;
  resumedAgain?: Reply;
  /** How far its time of creation is from the clock of the answers, in seconds. */
  createdOff?: number;
  isOwnerAlike?: boolean;
  format?: CameBack;
  url?: CameBack;
  rowLimit?: CameBack;
  ownFilter?: CameBack;
  /** A filter that it does not set. */
  followedFilter?: CameBack;
  // The same after a PUT without some of it.
  replaced?: Reply;
  zoneAfterPut?: CameBack;
  isPausedAfterPut?: boolean;
  rowLimitAfterPut?: CameBack;
  ownFilterAfterPut?: CameBack;
  // What is refused.
  unknownFilter?: Reply;
  unknownTile?: Reply;
  halfCondition?: Reply;
  fitPage?: Reply;
  // SFTP.
  bareHost?: Reply;
  urlAddress?: Reply;
  server?: CameBack;
  isPasswordShown?: boolean;
  // An e-mail to one member.
  mailed?: Reply;
  receiver?: CameBack;
  isReceiverMember?: boolean;
  recipientCount?: number;
  detailedReceiver?: CameBack;
  // The same with a user group.
  deadGroup?: Reply;
  addedAgain?: Reply;
  groupTimes?: number;
  /** Those of its members who are not the member of the e-mail. */
  groupOthers?: number;
  recipientCountWithGroup?: number;
  /** Whether the details still look as if the addresses were everybody. */
  isGroupHidden?: boolean;
  groupTimesAfterPut?: number;
  lastAddress?: Reply;
  // After a DELETE.
  read?: Reply;
  deletedAgain?: Reply;
  isStillListed?: boolean;
}
