(define (domain grippers)
  (:requirements :strips :typing)
  (:types room ball robot gripper)
  (:constants left right - gripper)
  (:predicates (robot_at ?r - robot ?x - room) (ball_at ?b - ball ?x - room) (free ?r - robot ?g - gripper)
    (carries ?r - robot ?b - ball ?g - gripper))
  (:action move
    :parameters (?r - robot ?from - room ?to - room)
    :precondition (and (robot_at ?r ?from))
    :effect (and (robot_at ?r ?to) (not (robot_at ?r ?from))))
  (:action pick
    :parameters (?r - robot ?b - ball ?x - room ?g - gripper)
    :precondition (and (robot_at ?r ?x) (ball_at ?b ?x) (free ?r ?g))
    :effect (and (carries ?r ?b ?g) (not (ball_at ?b ?x)) (not (free ?r ?g))))
  (:action drop
    :parameters (?r - robot ?b - ball ?x - room ?g - gripper)
    :precondition (and (robot_at ?r ?x) (carries ?r ?b ?g))
    :effect (and (ball_at ?b ?x) (free ?r ?g) (not (carries ?r ?b ?g)))))
