import { expect, test } from 'vitest';
import { decimalsOf, isCurrency } from './money.ts';

/** ISO 4217 as of January 2026: currencies and funds, without metals and the codes for testing. */
const active = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP
  CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS
  INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
  MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
  SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST
  XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`
  .trim()
  .split(/\s+/);

test('every active and former currency is accepted, and nothing else is', () => {
  expect(active.filter((code) => !isCurrency(code))).toEqual([]);
  expect(['HRK', 'BGN'].filter((code) => !isCurrency(code))).toEqual([]);
  expect(['XAU', 'XTS', 'XXX', 'ABC', 'usd', ''].filter(isCurrency)).toEqual([]);
});

test('the unit of account that rents in Chile are set in has four decimals', () => {
  expect(['CLF', 'CLP', 'UYW', 'UYI', 'UYU'].map(decimalsOf)).toEqual([4, 0, 4, 0, 2]);
});
