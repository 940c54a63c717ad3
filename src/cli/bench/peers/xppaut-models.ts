/** The models of the benchmark of peers in the language of XPPAUT. */

const ball = `
init q=0.9, v=0
q'=v
v'=-9.81
global -1 {q} {v=-0.999*v;q=0;te=t;n=n+1}`;

const oscillator = `
init q=-0.5, v=2
q'=v
v'=cos(2.8*t)-0.04*v-q
global 1 {q-0.6} {v=-0.7*v;q=0.6;te=t;n=n+1}`;

/** While it sticks s is 1. Leaving, it starts a little below the belt's speed: zero would be an event. */
const stickSlip = `
init q=0, v=0, s=0
q'=v
v'=if(s>0.5)then(0)else(0.1*(v-0.2)-q+1)
s'=0
global 1 {if(s>0.5)then(-1)else(v-0.2)} {v=0.2;s=1;te=t;n=n+1}
global 1 {if(s>0.5)then(q-1)else(-1)} {v=0.2-1e-12;s=0;te=t;n=n+1}`;

/**
 * Conditions in functions that others call are evaluated wrongly there. Of the cam's angle less π/2, whose
 * sine is −cos β, all pieces follow: n1 and n2 are parts of the circle of the nose, f1 and f2 of that of the
 * flank.
 */
const cam = `
par w=73.3038285837618, cf=0.9396926207859084, sf=0.3420201433256687, s1=0.86758646894686853, s2=0.93969262078590809
f1(s)=0.45*sin(w*s)
f2(s)=0.45*abs(cos(w*s))
n1(s)=0.40393320723821*(abs(cos(w*s))*cf-sin(w*s)*sf)
n2(s)=-0.40393320723821*(sin(w*s)*cf+abs(cos(w*s))*sf)
flank(s)=sqrt(0.7225-f1(s)^2)-f2(s)-0.3
nose(s)=sqrt(0.0225-n1(s)^2)-n2(s)-0.3
dflank(s)=sign(cos(w*s))*f1(s)*(1-f2(s)/sqrt(0.7225-f1(s)^2))
dnose(s)=sign(cos(w*s))*n1(s)*(1-n2(s)/sqrt(0.0225-n1(s)^2))
lift(s)=if(sin(w*s)<0)then(0.1)else(if(sin(w*s)<s1)then(flank(s))else(if(sin(w*s)<s2)then(nose(s))else(0.25393320723821)))
rate(s)=if(sin(w*s)<0)then(0)else(if(sin(w*s)<s1)then(w*dflank(s))else(if(sin(w*s)<s2)then(w*dnose(s))else(0)))
init q=0.5, v=0.4
q'=v
v'=-1430.8/1.221*q
global -1 {q-lift(t)} {v=1.8*rate(t)-0.8*v;q=lift(t);te=t;n=n+1}`;

/** In the order of the numbers that the other programs take. */
export const xppautModels = [ball, oscillator, stickSlip, cam] as const;
